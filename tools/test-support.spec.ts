import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isTestSupport } from './test-support.mjs';
import { readProjects, ROOT } from './workspace.mjs';

/** The apps of each image. */
const IMAGES = [
  ...readFileSync(join(ROOT, 'deploy/docker/Dockerfile'), 'utf8').matchAll(/^RUN \S*install-service\.sh (.+)$/gm),
].map(([, apps]) => apps!);

const projects = new Map(readProjects().map((project) => [project.manifest.name, project]));

/** The folders of the projects that an image installs: its own projects and their dependencies. */
const installed = (names: readonly string[], found = new Set<string>()): Set<string> => {
  for (const name of names) {
    const project = projects.get(name);
    if (!project || found.has(project.dir)) continue;
    found.add(project.dir);
    installed(Object.keys(project.manifest.dependencies ?? {}), found);
  }
  return found;
};

const compiledFiles = (dir: string): string[] => {
  const dist = join(ROOT, dir, 'dist');
  expect(existsSync(dist)).toBe(true);
  return readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((file) => `${dir}/dist/${file}`);
};

describe.each(IMAGES)('the image of %s', (apps) => {
  const dirs = [...installed(apps.split(' ').map((app) => `@cairn/${app}`))];

  it('has no project of the test layer', () => {
    expect(dirs).toContain('libs/contracts');
    expect(dirs.filter((dir) => !/^(?:apps|libs)\//.test(dir) || dir === 'libs/testing')).toEqual([]);
  });

  it('has no file of test support', () => {
    const files = dirs.flatMap(compiledFiles);
    expect(files.filter((file) => isTestSupport(file.replace(/\.js(?:\.map)?$/, '.ts')))).toEqual([]);
  });
});

describe('the name of a test support file', () => {
  it.each([
    'x.spec.ts',
    'x.int.spec.ts',
    'x.contract.ts',
    'x.fake.ts',
    'x.harness.ts',
    'x.builder.ts',
    'src/testing.ts',
  ])('is recognised in %s', (file) => expect(isTestSupport(file)).toBe(true));

  it.each(['x.ts', 'fake.ts', 'query-builder.ts', 'src/load-testing.ts', 'libs/testing/src/index.ts'])(
    'is not recognised in %s',
    (file) => expect(isTestSupport(file)).toBe(false),
  );
});
