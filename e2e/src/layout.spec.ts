import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { findTool, TOOLS } from '@cairn/mcp-tools';
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
  it('has the top level that the card names', () => {
    const names =
      'package.json nx.json apps/gateway apps/ingest apps/search apps/embedder libs deploy/helm docker-compose.yml README.md';
    expect(names.split(' ').filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
  });

  it('[C-03] [C-05] defines tools in one package, and the host names none of them', () => {
    const host = [...sources(join(ROOT, 'apps/gateway/src'))].map((file) => readFileSync(file, 'utf8')).join('\n');
    for (const { name } of TOOLS) expect(host).not.toContain(`'${name}'`);
  });

  it('[C-04] keeps that package free of databases and SDKs: it runs on an adapter in memory', async () => {
    const imported = new Set(
      [...sources(join(ROOT, 'libs/mcp-tools/src'))].flatMap((file) => importsOf(readFileSync(file, 'utf8'))),
    );
    const outside = [...imported].filter((name) => !name.startsWith('.'));
    expect(outside.sort()).toEqual(['@cairn/access', '@cairn/contracts', '@cairn/kernel', 'zod']);
    const context = {
      cairn: new InMemoryCairn().as({ agentId: 'agent', workspaceId: 'workspace' }),
      clock: { now: () => Date.now() },
      pages: new InMemoryPages(),
    };
    await findTool('store_knowledge')!.call({ title: 'In memory', body: 'kept in a map' }, context);
    const found = await findTool('search_knowledge')!.call({ query: 'map' }, context);
    expect(JSON.stringify(found)).toContain('In memory');
  });

  it('has no generated page with a value that is not filled in', () => {
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

  it('fails on an import of test support by product code, and allows it to tests', () => {
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

  it('lets the kernel use nothing above it', () => {
    expect(allowedProjects('kernel')).not.toContain('messaging');
  });
});
