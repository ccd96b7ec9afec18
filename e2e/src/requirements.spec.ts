import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { ALL, OPEN } from './requirements.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TABLE_ID = /\[([GNDC]-\d{2}[a-z]?)\]/g;

function* specs(dir: string): Generator<string> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory() && !['node_modules', 'dist'].includes(entry.name)) yield* specs(path);
    else if (/\.(spec|contract)\.ts$/.test(entry.name)) yield path;
  }
}

/** Ids in brackets inside quoted text: titles of tests, and the rows of `it.each` tables that titles are made of. */
const citedIn = (source: string): string[] =>
  [...source.matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g)].flatMap((match) =>
    [...match[2]!.matchAll(TABLE_ID)].map((id) => id[1]!),
  );

const cited = new Set(
  ['apps', 'libs', 'e2e', 'tools'].flatMap((dir) =>
    [...specs(join(ROOT, dir))].flatMap((file) => citedIn(readFileSync(file, 'utf8'))),
  ),
);

describe('the requirement rows', () => {
  it('are 244, each once', () => {
    expect(ALL).toHaveLength(244);
    expect(new Set(ALL).size).toBe(244);
  });

  it('are each cited by a test, or on the open list', () => {
    expect(ALL.filter((id) => !cited.has(id) && !OPEN.includes(id))).toEqual([]);
  });

  it('are taken off the open list once a test cites them', () => {
    expect(OPEN.filter((id) => cited.has(id))).toEqual([]);
  });

  it('exist when a test cites them', () => {
    expect([...cited].filter((id) => !ALL.includes(id))).toEqual([]);
  });
});
