import { createWriteStream } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Mirror } from './artifact-entry.js';
import type { RunCommand } from './run-command.js';

/** The plugin is pinned so that a build machine's default version cannot change what is copied. */
const MAVEN_DEPENDENCY_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1';
const CLIENT_TIMEOUT_MS = 10 * 60_000;
const URL_TIMEOUT_MS = 60_000;
const REASON_CHARS_MAX = 240;

/** Fetches the content of a mirror into `workDir` and returns its path: one archive or file, or a directory. */
export const fetchMirror = async (mirror: Mirror, workDir: string, run: RunCommand): Promise<string> => {
  const out = join(workDir, 'out');
  await mkdir(out, { recursive: true });
  const client = async (command: string, args: readonly string[]): Promise<void> => {
    const { exitCode, output } = await run(command, args, { cwd: workDir, timeoutMs: CLIENT_TIMEOUT_MS });
    if (exitCode !== 0) throw new Error(`${command} exited with ${exitCode}: ${reasonIn(output)}`);
  };
  switch (mirror.kind) {
    case 'maven':
      await client('mvn', [...mavenArgs('copy', out), `-Dartifact=${mirror.coordinate}`]);
      return onlyFileIn(out);
    case 'maven-pom': {
      const pom = join(workDir, 'pom.xml');
      await writeFile(pom, mirror.pom);
      await client('mvn', [...mavenArgs('copy-dependencies', out), '-f', pom, '-DincludeScope=runtime']);
      return out;
    }
    case 'pypi':
      await client('python3', pipArgs(mirror, out));
      return onlyFileIn(out);
    case 'npm':
      await client('npm', ['pack', mirror.spec, '--pack-destination', out, '--ignore-scripts', '--silent']);
      return onlyFileIn(out);
    case 'url':
      return download(mirror.url, out, mirror.timeoutMs ?? URL_TIMEOUT_MS);
    case 'path':
      await stat(mirror.path).catch(() => Promise.reject(new Error('there is no such file or directory')));
      return resolve(mirror.path);
  }
};

const mavenArgs = (goal: string, out: string): string[] => [
  '-B',
  '-ntp',
  `${MAVEN_DEPENDENCY_PLUGIN}:${goal}`,
  `-DoutputDirectory=${out}`,
];

const pipArgs = (mirror: Extract<Mirror, { kind: 'pypi' }>, out: string): string[] => [
  ...['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--disable-pip-version-check', '-q'],
  ...(mirror.platform === undefined ? [] : ['--platform', mirror.platform]),
  ...(mirror.pythonVersion === undefined ? [] : ['--python-version', mirror.pythonVersion]),
  ...['-d', out, mirror.requirement],
];

const onlyFileIn = async (directory: string): Promise<string> => {
  const [first, ...others] = await readdir(directory);
  if (first === undefined) throw new Error('the client ended well but left no file');
  if (others.length > 0) throw new Error(`the client left ${others.length + 1} files where one was expected`);
  return join(directory, first);
};

const download = async (url: string, out: string, timeoutMs: number): Promise<string> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch((error: unknown) => {
    throw new Error(`no answer: ${messageOf(error)}`);
  });
  if (!response.ok || response.body === null) throw new Error(`answered with status ${response.status}`);
  const file = join(out, basename(new URL(url).pathname) || 'download');
  await pipeline(Readable.fromWeb(response.body), createWriteStream(file));
  return file;
};

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
};

/** The first line that mentions an error, without credentials that a client may print as part of an address. */
const reasonIn = (output: string): string => {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const reason = lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? 'no output';
  return reason.replace(/\/\/[^/\s@]+@/g, '//***@').slice(0, REASON_CHARS_MAX);
};
