import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { CommanderError } from 'commander';
import { cairnProgram, runProgram } from './program.js';

const SRC = dirname(fileURLToPath(import.meta.url));

/** What the command line prints for these arguments, and the code it ends with. */
const run = async (...args: string[]) => {
  const printed = { out: '', err: '' };
  let code: number | undefined;
  const ignore = (): undefined => undefined;
  const program = cairnProgram({ env: {}, out: ignore, err: ignore, exit: ignore })
    .configureOutput({
      writeOut: (text) => void (printed.out += text),
      writeErr: (text) => void (printed.err += text),
    })
    .exitOverride();
  try {
    await runProgram(program, args);
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    code = thrown.exitCode;
  }
  return { ...printed, code };
};

/** The packages that are loaded before any command runs: followed through files of our own, types left out. */
const packagesLoaded = (file: string, seen = new Set<string>()): Set<string> => {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  const imports = /^(?:import|export) (?!type )[^;]*?from '([^']+)'|^import '([^']+)'/gm;
  for (const match of readFileSync(file, 'utf8').matchAll(imports)) {
    const name = (match[1] ?? match[2])!;
    if (!name.startsWith('.')) packages.add(name);
    else
      packagesLoaded(join(dirname(file), name.replace(/\.js$/, '.ts')), seen).forEach((found) => packages.add(found));
  }
  return packages;
};

describe('the command line', () => {
  it.each([[[]], [['--help']], [['-h']]])(
    'prints what there is for %j, as an answer and not as a mistake',
    async (args) => {
      const { out, err, code } = await run(...args);
      expect([err, code]).toEqual(['', 0]);
      for (const name of ['connect', 'link', 'tokens', 'oplog', 'forget', 'keys', 'init', 'import'])
        expect(out).toContain(`\n  ${name} `);
    },
  );

  it.each(['--version', '-v'])('prints the version of the product for %s', async (option) => {
    const { version } = JSON.parse(readFileSync(join(SRC, '../../../package.json'), 'utf8')) as { version: string };
    expect(await run(option)).toEqual({ out: `${version}\n`, err: '', code: 0 });
  });

  it.each([
    ['oplg', 'oplog'],
    ['improt', 'import'],
    ['key', 'keys'],
    ['lnik', 'link'],
  ])('names what is nearest to the unknown command %s', async (typed, nearest) => {
    const { err, code } = await run(typed);
    expect(code).toBe(1);
    expect(err).toContain(`unknown command '${typed}'`);
    expect(err).toContain(`Did you mean ${nearest}?`);
  });

  it('names all commands when none is similar', async () => {
    const { err, code } = await run('teleport');
    expect(code).toBe(1);
    expect(err).toContain('The commands are connect, link, tokens, import, oplog, forget, keys, init');
  });

  it('loads nothing heavy before a command runs, so that help appears at once', () => {
    const ours = [...packagesLoaded(join(SRC, 'main.ts'))].filter((name) => !name.startsWith('node:'));
    expect(ours.sort()).toEqual(['@cairn/kernel', 'commander']);
  });
});
