import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { EVERY_TOOL, findTool } from '@cairn/mcp-tools';
import { InMemoryCairn, InMemoryPages } from '@cairn/mcp-tools/testing';
// The table that `npm run check` enforces.
import { allowedProjects, violation } from '../../tools/check-imports.mjs';
import { importsOf } from '../../tools/workspace.mjs';
import { isTestSupport } from '../../tools/test-support.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

function* sources(dir: string): Generator<string> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (entry.name.endsWith('.ts') && !isTestSupport(path)) yield path;
  }
}

describe('the tree', () => {
  it('has the documented top level', () => {
    const names =
      'package.json nx.json apps/gateway apps/ingest apps/search apps/embedder libs deploy/helm docker-compose.yml README.md';
    expect(names.split(' ').filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
  });

  it('[C-03] [C-05] defines tools in one package, and the host mentions none of them by name', () => {
    const host = [...sources(join(ROOT, 'apps/gateway/src'))].map((file) => readFileSync(file, 'utf8')).join('\n');
    expect(EVERY_TOOL.filter(({ name }) => host.includes(`'${name}'`)).map(({ name }) => name)).toEqual([]);
  });

  it('[C-83] defines each tool in one file of that package, together with its handler', () => {
    const files = ['apps', 'libs']
      .flatMap((group) => [...sources(join(ROOT, group))])
      .map((file) => ({ path: file.slice(ROOT.length), text: readFileSync(file, 'utf8') }));
    const homes = EVERY_TOOL.map(
      ({ name }) => [name, files.filter(({ text }) => new RegExp(`^ {2}name: '${name}',$`, 'm').test(text))] as const,
    );
    expect(homes.filter(([, found]) => found.length !== 1).map(([name]) => name)).toEqual([]);
    const isTool = /^libs\/mcp-tools\/src\/[a-z-]+\/[a-z-]+\.tool\.ts$/;
    const strays = homes.filter(([, [file]]) => !isTool.test(file!.path) || !/^ {2}handle: /m.test(file!.text));
    expect(strays.map(([name]) => name)).toEqual([]);
  });

  it('[C-84] has a file of hints for each tool of the graph, with those of an empty answer and of an error', () => {
    const dir = join(ROOT, 'libs/mcp-tools/src/graph');
    const tools = readdirSync(dir).filter((name) => name.endsWith('.tool.ts'));
    expect(tools).toHaveLength(EVERY_TOOL.filter(({ toolset }) => toolset === 'graph').length);
    const isIncomplete = (tool: string): boolean => {
      const file = join(dir, 'hints', tool.replace('.tool.ts', '.hints.ts'));
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return !/^ {2}empty: /m.test(text) || !/^ {2}error: /m.test(text);
    };
    expect(tools.filter(isIncomplete)).toEqual([]);
  });

  it('[C-82] keeps query patterns in the retrieval package: the host has no SQL and imports no database', () => {
    const files = [...sources(join(ROOT, 'apps/gateway/src'))].map(
      (file) => [file, readFileSync(file, 'utf8')] as const,
    );
    const isQuery = ([, text]: readonly [string, string]): boolean =>
      /\bselect\s[^;]*?\sfrom\s+[a-z_]+\.[a-z_]+/i.test(text) ||
      importsOf(text).some((name) => ['@cairn/retrieval', '@cairn/persistence', 'pg', 'typeorm'].includes(name));
    expect(files.filter(isQuery).map(([file]) => file.slice(ROOT.length))).toEqual([]);
    for (const name of ['@cairn/retrieval', '@cairn/persistence', 'pg'])
      expect(violation('gateway', name, { isTest: false })).toMatch(/may (not )?use/);
    const patterns = readFileSync(join(ROOT, 'libs/retrieval/src/index.ts'), 'utf8');
    for (const name of [
      'searchSemantic',
      'queryItems',
      'walkLinks',
      'querySeries',
      'verifyHypothesis',
      'graph/index.js',
    ])
      expect(patterns).toContain(name);
  });

  it('[C-04] keeps that package free of databases and SDKs: it runs on an adapter in memory', async () => {
    const imported = new Set(
      [...sources(join(ROOT, 'libs/mcp-tools/src'))].flatMap((file) => importsOf(readFileSync(file, 'utf8'))),
    );
    const outside = [...imported].filter((name) => !name.startsWith('.'));
    expect(outside.sort()).toEqual(['@cairn/access', '@cairn/contracts', '@cairn/graph', '@cairn/kernel', 'zod']);
    const context = {
      cairn: new InMemoryCairn().as({ agentId: 'agent', workspaceId: 'workspace' }),
      clock: { now: () => Date.now() },
      pages: new InMemoryPages(),
    };
    await findTool('store_knowledge')!.call({ title: 'In memory', body: 'kept in a map' }, context);
    const found = await findTool('search_knowledge')!.call({ query: 'map' }, context);
    expect(JSON.stringify(found)).toContain('In memory');
  });

  it('has no generated page with an unfilled value', () => {
    const pages = readdirSync(join(ROOT, 'docs/reference'));
    const isUnfilled = (page: string): boolean =>
      /\bundefined\b|\bNaN\b|\[object Object\]/.test(readFileSync(join(ROOT, 'docs/reference', page), 'utf8'));
    expect(pages.filter(isUnfilled)).toEqual([]);
  });

  it('fails on an import that the table does not allow', () => {
    const code = { isTest: false };
    expect(violation('gateway', '@cairn/persistence', code)).toContain('may not use');
    expect(violation('gateway', 'pg', code)).toContain('no database');
    expect(violation('domain', 'node:fs', code)).toContain('`zod` only');
    expect(violation('projections', '@nestjs/microservices', code)).toContain('no `@nestjs');
    expect(violation('ingest', '@cairn/op-log/src/projector', code)).toContain('deep import');
    expect(violation('ingest', '@cairn/op-log', code)).toBeUndefined();
  });

  it('fails on an import of test support by product code, and allows it in tests', () => {
    const testSupport = [
      './rate-counter.fake.js',
      '../ingest-under-test.harness.js',
      './testing.js',
      '@cairn/vault/testing',
    ];
    for (const specifier of testSupport) {
      expect(violation('ingest', specifier, { isTest: false })).toContain('test support');
      expect(violation('ingest', specifier, { isTest: true })).toBeUndefined();
    }
    expect(violation('ingest', '@cairn/testing', { isTest: false })).toContain('may not use');
  });

  it('does not let the kernel use anything above it', () => {
    expect(allowedProjects('kernel')).not.toContain('messaging');
  });
});
