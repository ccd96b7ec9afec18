import { plural } from '@cairn/contracts';
import type { RebuildProgress, RebuildReport } from './rebuild.js';
import type { VerifyReport } from './verify.js';
import type { WarmedUp } from './warm-up.js';

const FINDINGS_SHOWN = 20;

export const verifyLines = ({ ops, workspaces, head, archived, erased, counts, findings }: VerifyReport): string[] => [
  `${plural(ops, 'op')} of ${plural(workspaces, 'workspace')}, head at ${head}`,
  `archive: ${plural(archived, 'op')}`,
  ...(erased > 0 ? [`${plural(erased, 'op')} erased, as later ops say`] : []),
  ...counts.map(({ what, inLog, inLibrary }) => `${what}: ${inLog} in the log, ${inLibrary} in the library`),
  ...(counts.length === 0 ? ['the library is behind the log, so it was not counted'] : []),
  ...findings.slice(0, FINDINGS_SHOWN).map(({ position, problem }) => `position ${position}: ${problem}`),
  ...(findings.length > FINDINGS_SHOWN ? [`and ${findings.length - FINDINGS_SHOWN} more`] : []),
  findings.length === 0
    ? 'verified: sequence, hash chain, archive and counts agree'
    : `${plural(findings.length, 'difference')} found`,
];

export const progressLine = ({ position, head, opsPerSecond }: RebuildProgress): string => {
  const percent = head === 0 ? 100 : Math.floor((100 * position) / head);
  const eta = opsPerSecond > 0 ? `, ${Math.ceil((head - position) / opsPerSecond)} s to go` : '';
  return `position ${position} of ${head} (${percent} %), ${opsPerSecond} ops/s${eta}`;
};

export const replayLines = ({
  projection,
  version,
  ops,
  seconds,
  opsPerSecond,
  equal,
  tables,
}: RebuildReport): string[] => [
  `${projection} version ${version}: ${plural(ops, 'op')} in ${seconds.toFixed(1)} s (${opsPerSecond} ops/s)`,
  ...tables.map(
    ({ table, rows, live, next }) =>
      `${table}: ${plural(rows, 'row')}, ${live === next ? 'equal' : `live ${live}, rebuilt ${next}`}`,
  ),
  equal === undefined
    ? 'live went on meanwhile, so the two were not compared; promote catches up first'
    : equal
      ? `equal to live. Swap with: npx cairn oplog promote ${projection} --yes`
      : 'DIFFERENT from live',
];

export const warmUpLines = (filled: readonly WarmedUp[]): string[] =>
  filled.length === 0
    ? ['the live read models are those of this version: there is nothing to fill']
    : [
        ...filled.map(
          ({ projection, ops, seconds }) => `${projection}: ${plural(ops, 'op')} in ${seconds.toFixed(1)} s`,
        ),
        'ready: an ingest of this version applies what is written from now on, and swaps them',
      ];
