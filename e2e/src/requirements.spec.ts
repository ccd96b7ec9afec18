import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { described, REQUIREMENTS } from './requirements.js';
import { cited as linesFor } from '../requirements-reporter.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TABLE_ID = /\[([GNDC]-\d{2}[a-z]?)\]/g;

function* specs(dir: string): Generator<string> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory() && !['node_modules', 'dist'].includes(entry.name)) yield* specs(path);
    else if (/\.(spec|contract)\.ts$/.test(entry.name)) yield path;
  }
}

/** Ids in brackets inside quoted text: test titles, and the rows of `it.each` tables that titles are built from. */
const citedIn = (source: string): string[] =>
  [...source.matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g)].flatMap((match) =>
    [...match[2]!.matchAll(TABLE_ID)].map((id) => id[1]!),
  );

const cited = new Set(
  ['apps', 'libs', 'e2e', 'tools'].flatMap((dir) =>
    [...specs(join(ROOT, dir))].flatMap((file) => citedIn(readFileSync(file, 'utf8'))),
  ),
);

const ids = REQUIREMENTS.map(({ id }) => id);

describe('the manifest of requirements', () => {
  it('holds 244 rows, each with a unique id, a sentence and a source', () => {
    expect(new Set(ids).size).toBe(244);
    expect(REQUIREMENTS).toHaveLength(244);
    expect(REQUIREMENTS.filter(({ sentence, source }) => !/^.{15,}\.$/.test(sentence) || !source)).toEqual([]);
  });

  it('has a test for every row', () => {
    expect(ids.filter((id) => !cited.has(id)).map(described)).toEqual([]);
  });

  it('has a row for every id that a test cites', () => {
    expect([...cited].filter((id) => !ids.includes(id)).map(described)).toEqual([]);
  });
});

describe('the report of a failed test', () => {
  it('states each cited requirement once, with its source', () => {
    // Assembled at run time, so this test does not count as one that cites them.
    const [limit, mode] = ['07', '10'].map((number) => `[G-${number}]`);
    expect(linesFor([`${mode} ${limit} returns 8 hits`, `search ${limit} again`, 'without an id'])).toEqual([
      `  ${limit} \`limit\` is an optional integer and defaults to 8. (Graniite, search_knowledge_base)`,
      `  ${mode} \`mode\` defaults to \`hybrid\`. (Graniite, search_knowledge_base)`,
    ]);
  });
});
