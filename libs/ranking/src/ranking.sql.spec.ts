import { describe, expect, it } from '@jest/globals';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { RANKING_SQL } from './ranking.sql.js';

/** Reviewers read the statements there. `UPDATE_SQL=1 npm run jest -- libs/ranking` rewrites them. */
const folder = new URL('../__sql__/', import.meta.url);
const fileOf = (name: string): URL => new URL(`${name}.sql`, folder);

if (process.env['UPDATE_SQL'] === '1') {
  mkdirSync(folder, { recursive: true });
  for (const [name, sql] of Object.entries(RANKING_SQL)) writeFileSync(fileOf(name), sql);
}

describe('the rendered SQL', () => {
  it.each(Object.entries(RANKING_SQL))('of %s is up to date', (name, sql) => {
    expect(readFileSync(fileOf(name), 'utf8')).toBe(sql);
  });

  it('has no file without a statement', () => {
    expect(readdirSync(folder).sort()).toEqual(
      Object.keys(RANKING_SQL)
        .map((name) => `${name}.sql`)
        .sort(),
    );
  });

  it('pins the search path and keeps the plans of every function', () => {
    for (const [name, sql] of Object.entries(RANKING_SQL).filter(([, text]) => text.includes('language plpgsql'))) {
      expect([name, sql]).toEqual([name, expect.stringContaining('set search_path = pg_catalog, public')]);
      expect([name, sql]).toEqual([name, expect.stringContaining('set plan_cache_mode = force_generic_plan')]);
    }
  });
});
