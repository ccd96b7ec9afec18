import { SeededLibrary } from '@cairn/testing';
import { writePostgresLexical } from '@cairn/projections';
import { installLegs } from './install-legs.js';
import type { LexicalHarness } from './lexical-index.contract.js';
import { PostgresLexicalIndex } from './postgres-lexical-index.js';

/** BM25 on a PGlite of its own. */
export const postgresHarness = async (): Promise<LexicalHarness> => {
  const library = await SeededLibrary.start();
  await installLegs(library.pool);
  return {
    index: new PostgresLexicalIndex(library.pool),
    write: async (changes) => {
      const sent: Promise<unknown>[] = [];
      const query = (sql: string, values: readonly unknown[] = []) => {
        const promise = library.pool.query(sql, [...values]);
        sent.push(promise);
        return promise;
      };
      writePostgresLexical({ query }, 'lexical', changes);
      await Promise.all(sent);
    },
    addFolder: (workspaceId, tier) => library.folder({ workspaceId, tier }),
    close: () => library.stop(),
  };
};
