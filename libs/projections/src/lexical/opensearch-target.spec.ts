import { describe, expect, it } from '@jest/globals';
import type { StoredOp } from '@cairn/op-log';
import type { OpenSearchClient } from '@cairn/persistence';
import type { Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import type { LexicalChange } from './lexical-change.js';
import type { OpenSearchLexicalWriter } from './opensearch-lexical-writer.js';
import { OpenSearchTarget } from './opensearch-target.js';

describe('the keyword index in OpenSearch', () => {
  it('waits for the library before it reads texts and tiers from it, because they may have changed', async () => {
    let library = 5;
    const written: [number, LexicalChange['kind']][] = [];
    const query = (sql: string, [names]: unknown[]) => {
      if (sql.includes('move_checkpoint')) return Promise.resolve({ rows: [] });
      const [name] = names as [string];
      const position = name === 'library' ? library++ : 6;
      return Promise.resolve({ rows: [{ name, version: 1, position: String(position), epoch: 1, layout: null }] });
    };
    const writer = {
      write: (_: string, changes: readonly LexicalChange[]) => {
        written.push(...changes.map(({ kind }): [number, LexicalChange['kind']] => [library - 1, kind]));
        return Promise.resolve();
      },
      refresh: () => Promise.resolve(),
      mark: () => Promise.resolve(),
    };
    const target = new OpenSearchTarget({
      client: {} as OpenSearchClient,
      pool: { query } as unknown as Pool,
      vault: {} as Vault,
      writer: writer as unknown as OpenSearchLexicalWriter,
      slot: 'lexical',
    });
    const op = { type: 'item.superseded', position: 9, data: { itemId: 'item', inKb: true } };
    const entries = [{ position: 9, op }] as unknown as StoredOp[];
    expect(await target.apply(entries, { position: 6, epoch: 1 }, 9)).toBe('applied');
    expect(written).toEqual([[9, 'supersede']]);
  });
});
