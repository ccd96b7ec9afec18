import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultCacheDir } from '@cairn/artifacts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startNativePostgres } from './native-postgres.js';
import type { SupervisedServer } from './supervise.js';

const query = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
};

describe('native Postgres', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-pg-'));
  const events = new EventEmitter();
  let server: SupervisedServer;

  beforeAll(async () => {
    const cacheDir = process.env['CAIRN_CACHE'] ?? defaultCacheDir(homedir());
    server = await startNativePostgres({
      dataDir,
      cacheDir,
      log: () => undefined,
      onRestart: () => events.emit('restart'),
    });
  }, 180_000);

  afterAll(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true });
  });

  it('has pgvector', async () => {
    await query(server.url, 'create extension vector');
    expect(await query(server.url, `select '[1,2]'::vector <-> '[1,3]'::vector as d`)).toEqual([{ d: 1 }]);
  });

  it('restarts at the same address with its rows after a SIGKILL', async () => {
    await query(server.url, 'create table kept as select 42 as n');
    const { url, pid } = server;
    const restarted = once(events, 'restart');
    process.kill(pid as number, 'SIGKILL');
    await restarted;
    expect(server.pid).not.toBe(pid);
    expect(await query(url, 'select n from kept')).toEqual([{ n: 42 }]);
  });
});
