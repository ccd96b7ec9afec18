import { SeededLibrary } from '@cairn/testing';
import { writePostgresLexical } from '@cairn/projections';
import { installLegs } from './install-legs.js';
import { lexicalIndexContract } from './lexical-index.contract.js';
import { PostgresLexicalIndex } from './postgres-lexical-index.js';

lexicalIndexContract('Postgres', async () => {
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
});
