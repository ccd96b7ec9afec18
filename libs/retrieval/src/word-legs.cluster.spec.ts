import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNativePostgres } from '@cairn/local-servers';
import { Database, tablesSql } from '@cairn/persistence';
import { PROJECTIONS } from '@cairn/projections';
import { testCacheDir } from '@cairn/testing';
import { describeWordLegs } from './word-legs.contract.js';

describeWordLegs('native', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-word-legs-'));
  const server = await startNativePostgres({ dataDir, cacheDir: testCacheDir(), log: () => undefined });
  const database = await Database.connect({ url: server.url, applicationName: 'word-legs' });
  await database.migrate();
  const library = PROJECTIONS.find(({ name }) => name === 'library')!;
  for (const sql of [tablesSql('library', library.tables), ...library.indexes('library', {})])
    await database.pool.query(sql);
  const stop = async (): Promise<void> => {
    await database.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { pool: database.pool, stop };
});
