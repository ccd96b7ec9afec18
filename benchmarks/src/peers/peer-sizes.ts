import type { Workload } from '../workloads.js';

export interface PeerSize {
  readonly name: 'small' | 'shared' | 'large';
  readonly workspaces: number;
  readonly chunksPerWorkspace: number;
}

export const chunksOf = ({ workspaces, chunksPerWorkspace }: PeerSize): number => workspaces * chunksPerWorkspace;

export const sizeText = (size: PeerSize): string => {
  const chunks = chunksOf(size).toLocaleString('en');
  return size.workspaces === 1 ? `${chunks} chunks` : `${chunks} chunks in ${size.workspaces} workspaces`;
};

/**
 * The same library alone, as one of several, and large. A smaller limit keeps the proportions: one of several is as
 * large as the one that is alone.
 */
export const peerSizes = (
  { small, workspaces, large }: Pick<Workload<'peers'>, 'small' | 'workspaces' | 'large'>,
  chunksMax = large,
): PeerSize[] => {
  const alone = Math.max(1, Math.min(small, Math.floor(chunksMax / workspaces)));
  return [
    { name: 'small', workspaces: 1, chunksPerWorkspace: alone },
    { name: 'shared', workspaces, chunksPerWorkspace: alone },
    { name: 'large', workspaces: 1, chunksPerWorkspace: Math.min(large, chunksMax) },
  ];
};
