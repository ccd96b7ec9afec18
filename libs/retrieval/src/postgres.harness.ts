import { SeededLibrary } from '@cairn/projections/testing';
import { writePostgresLexical } from '@cairn/projections';
import { installRanking } from '@cairn/ranking';
import type { LexicalHarness } from './lexical-index.contract.js';
import { PostgresLexicalIndex } from './postgres-lexical-index.js';

/** BM25 on a separate PGlite. */
export const postgresHarness = async (): Promise<LexicalHarness> => {
  const library = await SeededLibrary.start();
  await installRanking(library.pool);
  const workspaces = new Map<string, string>();
  const write: LexicalHarness['write'] = async (changes) => {
    const statements: [string, readonly unknown[]][] = [];
    const query = (sql: string, values: readonly unknown[] = []) => {
      statements.push([sql, values]);
      return Promise.resolve();
    };
    writePostgresLexical({ query }, 'lexical', changes);
    for (const [sql, values] of statements) await library.pool.query(sql, [...values]);
  };
  const setTier: LexicalHarness['setTier'] = async (folderId, tier, position) => {
    const workspaceId = workspaces.get(folderId)!;
    await library.applyBeforeIndex(workspaceId, { type: 'folder.configured', data: { folderId, tier } });
    await write([{ kind: 'tier', position, folderId, sensitive: tier === 'sensitive' }]);
  };
  return {
    index: new PostgresLexicalIndex(library.pool),
    write,
    addFolder: async (workspaceId, tier) => {
      const folderId = await library.folder({ workspaceId, tier });
      workspaces.set(folderId, workspaceId);
      await setTier(folderId, tier, 0);
      return folderId;
    },
    setTier,
    close: () => library.stop(),
  };
};
