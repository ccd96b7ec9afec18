import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SCOPES } from '@cairn/contracts';
import { describe, expect, it } from '@jest/globals';
import { CommanderError } from 'commander';
import { cairnProgram, runProgram } from './program.js';
import { tokensCommand } from './tokens/tokens.commands.js';

const SRC = dirname(fileURLToPath(import.meta.url));

/** The output of the command line for these arguments, and its exit code. */
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

/** The packages that are loaded before any command runs, found by following our own files and ignoring type imports. */
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
  it.each([[[]], [['--help']], [['-h']]])('prints the list of commands for %j with exit code 0', async (args) => {
    const { out, err, code } = await run(...args);
    expect([err, code]).toEqual(['', 0]);
    for (const name of ['connect', 'link', 'tokens', 'oplog', 'forget', 'keys', 'init', 'import'])
      expect(out).toContain(`\n  ${name} `);
  });

  it.each(['--version', '-v'])('prints the version of the product for %s', async (option) => {
    const { version } = JSON.parse(readFileSync(join(SRC, '../../../package.json'), 'utf8')) as { version: string };
    expect(await run(option)).toEqual({ out: `${version}\n`, err: '', code: 0 });
  });

  it.each([
    ['oplg', 'oplog'],
    ['improt', 'import'],
    ['key', 'keys'],
    ['lnik', 'link'],
  ])('suggests the command nearest to the unknown %s', async (typed, nearest) => {
    const { err, code } = await run(typed);
    expect(code).toBe(1);
    expect(err).toContain(`unknown command '${typed}'`);
    expect(err).toContain(`Did you mean ${nearest}?`);
  });

  it('lists all commands when none is similar', async () => {
    const { err, code } = await run('teleport');
    expect(code).toBe(1);
    expect(err).toContain(
      'The commands are connect, link, tokens, import, series, sync, oplog, vectors, forget, keys, init',
    );
  });

  it('lists every scope in the help of tokens issue', () => {
    const ignore = (): undefined => undefined;
    const { commands } = tokensCommand({ env: {}, out: ignore, err: ignore, exit: ignore });
    const help = commands.find((command) => command.name() === 'issue')!.helpInformation();
    expect(help.replace(/\s+/g, ' ')).toContain(`separated by commas: ${SCOPES.join(', ')} --folders`);
  });

  it('loads nothing heavy before a command runs, so help appears at once', () => {
    const ours = [...packagesLoaded(join(SRC, 'main.ts'))].filter((name) => !name.startsWith('node:'));
    expect(ours.sort()).toEqual(['@cairn/kernel', 'commander']);
  });
});
