import { execFileSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startPglite, wipePglite } from './pglite-server.js';
import { WAL_BYTES_MAX } from './pglite-wal.js';
import type { LocalServer, SupervisedServer } from './supervise.js';

const log = (): void => undefined;

const startupPacket = (): Buffer => {
  const body = Buffer.from('user\0postgres\0database\0postgres\0\0');
  const header = Buffer.alloc(8);
  header.writeUInt32BE(body.length + 8, 0);
  header.writeUInt32BE(196_608, 4);
  return Buffer.concat([header, body]);
};

describe('PGlite', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-pglite-'));
  let server: SupervisedServer;
  const events = new EventEmitter();
  let pool: pg.Pool;

  beforeAll(async () => {
    // A start that was killed during initdb leaves files behind, but no mark of completion.
    mkdirSync(join(dataDir, 'pgdata', 'base'), { recursive: true });
    writeFileSync(join(dataDir, 'pgdata', 'PG_VERSION'), '');
    server = await startPglite({ dataDir, log, onRestart: (again) => events.emit('restart', again) });
    pool = new pg.Pool({ connectionString: server.url, max: 8 });
    pool.on('error', log);
  });

  afterAll(async () => {
    await pool.end();
    await server.stop();
    rmSync(dataDir, { recursive: true });
  });

  it('replaces a directory whose creation was interrupted', () => {
    expect(readdirSync(join(dataDir, 'pgdata'))).toContain('global');
    expect(existsSync(join(dataDir, 'cairn-initialised'))).toBe(true);
  });

  it('releases its write-ahead log while it runs, between the transactions of its clients', async () => {
    const walBytes = async (): Promise<number> =>
      Number((await pool.query<{ bytes: string }>('select sum(size) as bytes from pg_ls_waldir()')).rows[0]!.bytes);
    await pool.query('create table large (body text); alter table large alter body set storage external');
    const client = await pool.connect();
    await client.query('begin');
    await client.query('insert into large select repeat(md5(i::text), 32768) from generate_series(1, 150) i');
    await client.query('commit');
    client.release();
    while ((await walBytes()) > WAL_BYTES_MAX / 2) await delay(100);
    expect((await pool.query('select count(*)::int as n from large')).rows).toEqual([{ n: 150 }]);
    await pool.query('drop table large');
  });

  it('offers pgvector and BM25 through the Postgres protocol', async () => {
    await pool.query('create extension vector; create extension pg_textsearch');
    await pool.query('create table doc (id int primary key, body text, v vector(3))');
    await pool.query(
      `insert into doc values (1, 'stones by the road', '[1,0,0]'), (2, 'a cairn of stones', '[0,1,0]')`,
    );
    await pool.query(`create index doc_bm25 on doc using bm25(body) with (text_config='english')`);
    const near = await pool.query('select id from doc order by v <=> $1 limit 1', ['[0,1,0.1]']);
    const found = await pool.query(`select id from doc order by body <@> to_bm25query($1, 'doc_bm25') limit 1`, [
      'cairn',
    ]);
    expect([near.rows, found.rows]).toEqual([[{ id: 2 }], [{ id: 2 }]]);
  });

  it.each([
    ['no password', ''],
    ['a wrong password', ':guess'],
  ])('rejects a client with %s', async (_, password) => {
    const connectionString = server.url.replace(/:[^:@]+@/, `${password}@`);
    const stranger = new pg.Client({ connectionString });
    stranger.on('error', log);
    await expect(stranger.connect()).rejects.toThrow(/password/);
  });

  it('runs no statement of a client that has not signed in', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const answers: Buffer[] = [];
    socket.on('data', (bytes) => answers.push(bytes));
    const query = Buffer.from('Q\0\0\0\x22create table stranger (id int)\0', 'latin1');
    socket.write(Buffer.concat([startupPacket(), query]));
    await once(socket, 'close');
    expect(Buffer.concat(answers).toString('latin1')).toMatch(/SCRAM-SHA-256.*08P01/s);
    expect((await pool.query(`select to_regclass('stranger') as found`)).rows).toEqual([{ found: null }]);
  });

  it('disconnects a client that sends too much before it has signed in', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', log);
    const endless = startupPacket();
    endless.writeUInt32BE(0x7fffffff, 0);
    socket.write(Buffer.concat([endless, Buffer.alloc(100_000)]));
    await new Promise((resolve) => socket.once('close', resolve));
  });

  it('does not show its password in the process list', () => {
    const shown = execFileSync('ps', ['-o', 'args=', '-p', String(server.pid)], { encoding: 'utf8' });
    expect(shown).toContain('pglite-child');
    expect(shown).not.toContain(new URL(server.url).password);
  });

  it('never mixes statements of different clients, however many packets they fill', async () => {
    const long = 'z'.repeat(300_000);
    const ask = async (client: number, round: number): Promise<boolean> => {
      const answer =
        client % 2 === 0
          ? await pool.query(`select length($1::text) + $2::int as c${client}`, [long, round])
          : await pool.query(`select 300000 + $1::int as c${client}`, [round]);
      return answer.rows[0]?.[`c${client}`] === 300_000 + round;
    };
    const rounds = Array.from({ length: 20 }, (_, round) => round);
    const clients = Array.from({ length: 8 }, (_, client) => client);
    const answers = await Promise.all(
      clients.map(async (client) => {
        let right = 0;
        for (const round of rounds) right += Number(await ask(client, round));
        return right;
      }),
    );
    expect(answers).toEqual(clients.map(() => rounds.length));
  });

  it('runs transactions of several clients one after the other, without a lost update', async () => {
    await pool.query('create table counter (n int)');
    await pool.query('insert into counter values (0)');
    const add = async (): Promise<void> => {
      const client = await pool.connect();
      await client.query('begin');
      const { rows } = await client.query('select n from counter');
      await client.query('update counter set n = $1', [rows[0].n + 1]);
      await client.query('commit');
      client.release();
    };
    await Promise.all(Array.from({ length: 16 }, add));
    expect((await pool.query('select n from counter')).rows).toEqual([{ n: 16 }]);
  });

  it('serves every client after an error in one statement', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, i) => pool.query(i % 3 === 0 ? 'select $1::int / 0' : 'select $1::int', [i])),
    );
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual(results.map((_, i) => i % 3 !== 0));
  });

  it('ends a statement at the time limit of its client, and leaves those of other clients running', async () => {
    const limited = new pg.Pool({ connectionString: server.url, statement_timeout: 300, max: 1 });
    limited.on('error', log);
    const endless = 'select count(*) from generate_series(1, 1000000000) i where sqrt(i) < 0';
    const long = pool.query('select count(*)::int as n from generate_series(1, 500000) i where sqrt(i) > 0');
    for (let time = 0; time < 2; time++) {
      const ended = expect(limited.query(endless)).rejects.toMatchObject({ code: '57014' });
      expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
      await ended;
      expect((await limited.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
    }
    expect((await long).rows).toEqual([{ n: 500_000 }]);
    await limited.end();
  });

  it('rolls back the open transaction of a client that disconnects', async () => {
    const client = new pg.Client({ connectionString: server.url });
    client.on('error', log);
    await client.connect();
    await client.query('begin');
    await client.query('update counter set n = 99');
    const others = pool.query('select n from counter');
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    expect((await others).rows).toEqual([{ n: 16 }]);
  });

  it('restarts at the same address with its rows after a SIGKILL', async () => {
    const { url, pid } = server;
    const restarted = once(events, 'restart');
    process.kill(pid as number, 'SIGKILL');
    expect((await restarted) as LocalServer[]).toMatchObject([{ url }]);
    expect(server.pid).not.toBe(pid);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    expect((await client.query('select count(*)::int as rows from doc')).rows).toEqual([{ rows: 2 }]);
    await client.end();
  });

  it('[N-59] removes the file of a table whose rewriting was interrupted, and keeps every file in use', async () => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query('select oid::text from pg_database where datname = current_database()');
    const directory = join(dataDir, 'pgdata', 'base', rows[0].oid);
    const left = ['16000000', '16000000_fsm', '16000000.1'];
    for (const name of left) writeFileSync(join(directory, name), 'rows that were being copied');
    const inUse = readdirSync(directory).filter((name) => !left.includes(name));
    const restarted = once(events, 'restart');
    client.on('error', log);
    process.kill(server.pid as number, 'SIGKILL');
    await restarted;
    expect(readdirSync(directory).filter((name) => left.includes(name))).toEqual([]);
    expect(readdirSync(directory)).toEqual(expect.arrayContaining(inUse));
  });

  it('restarts after a statement that ends its only backend', async () => {
    const restarted = once(events, 'restart');
    const client = new pg.Client({ connectionString: server.url });
    client.on('error', log);
    await client.connect();
    await expect(client.query('copy doc from stdin')).rejects.toThrow(/terminated|ECONNRESET/);
    await restarted;
    const again = new pg.Client({ connectionString: server.url });
    await again.connect();
    expect((await again.query('select count(*)::int as rows from doc')).rows).toEqual([{ rows: 2 }]);
    await again.end();
  });

  it('reports a corrupt database as such, and starts again once it is wiped', async () => {
    await server.stop();
    truncateSync(join(dataDir, 'pgdata', 'global', 'pg_control'), 100);
    await expect(startPglite({ dataDir, log })).rejects.toMatchObject({ code: 'pglite.corrupt' });
    rmSync(join(dataDir, 'pgdata', 'PG_VERSION'));
    await expect(startPglite({ dataDir, log })).rejects.toMatchObject({ code: 'pglite.corrupt' });
    wipePglite(dataDir);
    server = await startPglite({ dataDir, log });
    expect(server.pid).toBeGreaterThan(0);
  });
});
