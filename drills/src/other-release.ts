import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeNextRelease } from '@cairn/testing';
import { UsageError } from './command-line.js';

export const OWN_ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface OtherRelease {
  readonly name: string;
  /** A checkout that is built. */
  readonly root: string;
  /** Removes what was made for the drill. */
  remove(): void;
}

export interface OtherReleaseOptions {
  /** A checkout that is built already; empty if none is given. */
  readonly folder: string;
  /** A tag or a commit; empty: the newest tag. */
  readonly ref: string;
}

const run = (cwd: string, command: string, ...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout.trim();
};

const newestTag = (): string => run(OWN_ROOT, 'git', 'tag', '--sort=-creatordate').split('\n')[0] ?? '';

const given = (folder: string): OtherRelease => {
  const root = resolve(folder);
  if (!existsSync(join(root, 'apps/ingest/dist/main.js')))
    throw new UsageError(`--other must be a checkout that is built, and ${root} is not`);
  return { name: root, root, remove: () => undefined };
};

const inTemporaryFolder = (name: string, make: (root: string) => void): OtherRelease => {
  const root = mkdtempSync(join(tmpdir(), 'cairn-release-'));
  const remove = (): void => rmSync(root, { recursive: true, force: true });
  try {
    make(root);
  } catch (thrown) {
    remove();
    throw thrown;
  }
  return { name, root, remove };
};

/**
 * The release beside this one: a built checkout, or one that is built from git here. Before the first tag there is no
 * earlier release, and a copy of this build with further fields in every message stands for the next one.
 */
export const otherRelease = ({ folder, ref }: OtherReleaseOptions, say: (line: string) => void): OtherRelease => {
  if (folder !== '') return given(folder);
  const wanted = ref === '' ? newestTag() : ref;
  if (wanted === '') {
    say('there is no tag: a copy of this build with further fields in every message is the other release');
    return inTemporaryFolder('this build with further fields', (root) => writeNextRelease(root));
  }
  say(`building ${wanted}`);
  return inTemporaryFolder(wanted, (root) => {
    run(OWN_ROOT, 'git', 'clone', '--quiet', OWN_ROOT, root);
    run(root, 'git', 'checkout', '--quiet', wanted);
    run(root, process.execPath, 'tools/prepare.mjs');
  });
};
