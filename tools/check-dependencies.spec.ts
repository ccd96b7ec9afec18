import { describe, expect, it } from '@jest/globals';
import { checkDependencies, problemsOf, versionProblems } from './check-dependencies.mjs';
import { importsOf, readProjects, type Manifest, type SourceFile } from './workspace.mjs';

const projectOf = (manifest: Partial<Manifest>, ...files: SourceFile[]) => ({
  dir: 'libs/x',
  name: 'x',
  manifest: { name: '@cairn/x', version: '0.1.0', ...manifest },
  files,
});
const code = (...imports: string[]): SourceFile => ({ path: 'libs/x/src/x.ts', isTest: false, imports });
const test = (...imports: string[]): SourceFile => ({ path: 'libs/x/src/x.spec.ts', isTest: true, imports });

describe('the dependencies of a project', () => {
  it('rejects an undeclared import', () => {
    expect(problemsOf(projectOf({}, code('zod')))).toContain('libs/x: imports zod, not in dependencies');
    expect(problemsOf(projectOf({}, test('fast-check/lib')))).toEqual([
      'libs/x: imports fast-check, not in devDependencies',
    ]);
  });

  it('rejects product code that imports a dev dependency, which no image contains', () => {
    const project = projectOf({ devDependencies: { zod: '4.6.7' } }, code('zod'));
    expect(problemsOf(project)).toEqual(['libs/x: imports zod, not in dependencies']);
  });

  it('rejects a declared package that nothing imports, or that only tests import', () => {
    expect(problemsOf(projectOf({ devDependencies: { zod: '4.6.7' } }, code()))).toHaveLength(1);
    expect(problemsOf(projectOf({ dependencies: { zod: '4.6.7' } }, test('zod')))).toHaveLength(1);
  });

  it('accepts relative imports, built-ins, sub-paths, types and peers', () => {
    const dependencies = { '@nestjs/common': '12.4.2', 'reflect-metadata': '0.2.2', rxjs: '7.8.2', pg: '8.23.1' };
    const project = projectOf(
      { dependencies, devDependencies: { '@types/pg': '8.23.1' } },
      code('./y.js', 'node:fs', '@nestjs/common/pipes', 'pg'),
    );
    expect(problemsOf(project)).toEqual([]);
  });

  it('rejects a package whose required peer is not declared', () => {
    const project = projectOf(
      { dependencies: { '@nestjs/platform-express': '12.4.2' } },
      code('@nestjs/platform-express'),
    );
    expect(problemsOf(project).join('\n')).toContain('rxjs is not declared');
  });
});

describe('the imports of a file', () => {
  it('are read from statements, not from SQL in a constant', () => {
    const source = "import { a } from 'a';\nexport { b } from 'b';\nexport const SQL = `x is distinct from 'c'`;";
    expect(importsOf(source)).toEqual(['a', 'b']);
  });
});

describe('the versions of the workspace', () => {
  const manifest = (name: string, dependencies: Record<string, string>): Manifest => ({
    name,
    version: '0.1.0',
    dependencies,
  });

  it('rejects two versions of one package, a range, and a workspace package of another version', () => {
    expect(versionProblems([manifest('a', { zod: '4.6.7' }), manifest('b', { zod: '4.6.8' })])).toHaveLength(1);
    expect(versionProblems([manifest('a', { zod: '^4.6.7' })])).toEqual([expect.stringContaining('exact')]);
    expect(versionProblems([manifest('a', {}), manifest('b', { a: '0.2.0' })])).toHaveLength(1);
  });
});

describe('this workspace', () => {
  it('declares its imports, in one version', () => {
    expect(checkDependencies()).toEqual([]);
  });

  it('gives the gateway and the embedder no database client, and the gateway no model runtime', () => {
    const byName = new Map(
      readProjects().map(({ manifest }) => [manifest.name, Object.keys(manifest.dependencies ?? {})]),
    );
    const carriedBy = (name: string, seen = new Set<string>()): Set<string> => {
      for (const dependency of byName.get(name) ?? [])
        if (!seen.has(dependency)) carriedBy(dependency, seen.add(dependency));
      return seen;
    };
    const databases = ['pg', 'typeorm', '@opensearch-project/opensearch', '@electric-sql/pglite'];
    expect(
      [...carriedBy('@cairn/gateway')].filter((name) => [...databases, 'onnxruntime-node'].includes(name)),
    ).toEqual([]);
    expect([...carriedBy('@cairn/embedder')].filter((name) => databases.includes(name))).toEqual([]);
    expect([...carriedBy('@cairn/ingest')]).toContain('pg');
  });
});
