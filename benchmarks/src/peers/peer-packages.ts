import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultCacheDir } from '@cairn/artifacts';

/**
 * Pinned, and not in package.json: LanceDB alone is 150 MB, which no one who only starts Cairn should download. These
 * are the newest versions that run on every Node that Cairn supports.
 */
export const PEER_PACKAGES = {
  '@lancedb/lancedb': '0.33.0',
  'apache-arrow': '18.1.0',
  '@photostructure/sqlite': '1.2.1',
  'sqlite-vec': '0.1.9',
} as const;

export type PeerPackage = keyof typeof PEER_PACKAGES;

const versions = Object.entries(PEER_PACKAGES).map(([name, version]) => `${name}@${version}`);
const folderName = `bench-peers-${Object.values(PEER_PACKAGES).join('-')}`;

const npmInstall = async (folder: string): Promise<void> => {
  const args = ['install', '--no-audit', '--no-fund', '--no-save', '--omit=dev', '--loglevel=error', ...versions];
  await promisify(execFile)('npm', args, { cwd: folder, shell: process.platform === 'win32' });
};

/** Installs the peers into the cache on first use; returns how to load one of them. */
export const installPeers = async (log: (line: string) => void): Promise<(name: PeerPackage) => unknown> => {
  const folder = join(process.env['CAIRN_CACHE'] ?? defaultCacheDir(homedir()), folderName);
  if (!existsSync(folder)) {
    log(`installing ${versions.join(', ')} (once)`);
    const partial = `${folder}.${process.pid}`;
    mkdirSync(partial, { recursive: true });
    writeFileSync(join(partial, 'package.json'), '{ "private": true }\n');
    try {
      await npmInstall(partial);
      renameSync(partial, folder);
    } catch (cause) {
      rmSync(partial, { recursive: true, force: true });
      throw new Error(`the peers could not be installed by npm: ${(cause as Error).message}`, { cause });
    }
  }
  return createRequire(join(folder, 'package.json'));
};
