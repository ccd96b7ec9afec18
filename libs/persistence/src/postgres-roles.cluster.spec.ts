import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTcp, createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createPostgresRoles,
  startNativePostgres,
  type NativePostgres,
  type PostgresLogins,
} from '@cairn/local-servers';
import { testCacheDir, testCertificate, type TestCertificate } from '@cairn/testing';
import { Database } from './data-source.js';
import { postgresAccess, type PostgresAccess } from './postgres-access.js';
import { assertOwner, assertReader } from './role-check.js';

const READ_MODELS = ['library', 'vectors'];
const dir = mkdtempSync(join(tmpdir(), 'cairn-roles-'));
const fileWith = (name: string, content: string): string => {
  const path = join(dir, name);
  writeFileSync(path, content);
  return path;
};
let server: NativePostgres;
let roles: PostgresLogins;
const open: Database[] = [];

const connect = async (access: PostgresAccess): Promise<Database> => {
  const database = await Database.connect({ ...access, applicationName: 'test', poolSize: 2 });
  open.push(database);
  return database;
};
const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'accepted',
    (thrown: Error) => thrown.message.replace(new URL(server.url).host, 'HOST'),
  );
const accessOf = (role: 'cairn_ingest' | 'cairn_search', more: Record<string, string> = {}) =>
  postgresAccess({ ...roles.envOf(role), ...more });
const admin = (sql: string): Promise<unknown> => open[0]!.pool.query(sql);

beforeAll(async () => {
  chmodSync(dir, 0o755);
  server = await startNativePostgres({
    dataDir: join(dir, 'postgres'),
    cacheDir: testCacheDir(),
    passwordRoles: ['cairn_ingest', 'cairn_search'],
    log: () => undefined,
  });
  roles = await createPostgresRoles(server, join(dir, 'secrets'));
  await connect({ url: server.url });
  const ingest = await connect(accessOf('cairn_ingest'));
  await ingest.migrate();
  await ingest.pool.query('create schema library; create table library.items (id int primary key)');
}, 120_000);
afterAll(async () => {
  await Promise.all(open.map((database) => database.close()));
  for (const front of fronts) front.close();
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
});

const fronts: Server[] = [];

/** The Postgres of the tests is built without TLS, so a front terminates it, as a pooler would. */
const tlsFront = async (url: string, certificate: TestCertificate): Promise<{ readonly url: string }> => {
  const { hostname, port } = new URL(url);
  const front = createServer((client) =>
    // The first packet of a client asks for TLS.
    client.once('data', () => {
      client.write('S');
      const secure = new TLSSocket(client, { isServer: true, ...certificate });
      const backend = connectTcp(Number(port), hostname);
      for (const socket of [secure, backend]) socket.on('error', () => [secure, backend].map((one) => one.destroy()));
      secure.pipe(backend).pipe(secure);
    }),
  ).listen(0, '127.0.0.1');
  fronts.push(front);
  await once(front, 'listening');
  return { url: url.replace(`:${port}/`, `:${(front.address() as AddressInfo).port}/`) };
};

describe('the role of search', () => {
  it('reads what ingest has created, also later', async () => {
    const search = await connect(accessOf('cairn_search'));
    await assertReader(search.pool, READ_MODELS);
    expect((await search.pool.query('select count(*)::int as n from library.items')).rows).toEqual([{ n: 0 }]);
    await open[1]!.pool.query('create table library.later (id int)');
    expect((await search.pool.query('select * from library.later')).rows).toEqual([]);
  });

  it.each([
    'insert into library.items values (1)',
    'update library.items set id = 2',
    'delete from library.items',
    'truncate library.items',
    'create table library.mine (id int)',
    'create schema mine',
    'create table public.mine (id int)',
    'drop table library.items',
    'alter table library.items add column x int',
    'create index on library.items (id)',
    `update cairn.projections set position = 0`,
    'set session authorization postgres',
    'set role cairn_ingest',
  ])('is refused: %s', async (statement) => {
    const search = await connect(accessOf('cairn_search'));
    await expect(search.pool.query(statement)).rejects.toThrow();
    // A transaction of the role is read-only by default; its rights must refuse the statement even without that.
    const writable = search.pool.query(`set transaction read write; ${statement}`);
    await expect(writable).rejects.toMatchObject({ code: '42501' });
  });

  it('ends the start when it has too many or too few rights', async () => {
    const search = await connect(accessOf('cairn_search'));
    const refusal = () => refusalOf(assertReader(search.pool, READ_MODELS));
    const hint = 'deploy/postgres/roles.sql creates the roles';
    await admin('grant insert on library.items to cairn_search');
    expect(await refusal()).toBe(
      `Postgres role cairn_search may write library.items, and search needs one that can only read; ${hint}`,
    );
    await admin(
      'revoke insert on library.items from cairn_search; revoke select on cairn.projections from cairn_search',
    );
    expect(await refusal()).toBe(
      `Postgres role cairn_search may not read cairn.projections, which search needs; ${hint}`,
    );
    await admin('grant select on cairn.projections to cairn_search; revoke usage on schema library from cairn_search');
    expect(await refusal()).toContain('may not read library.items');
    await admin('grant usage on schema library to cairn_search');
    expect(await refusal()).toBe('accepted');
    expect(await refusalOf(assertReader(open[0]!.pool, READ_MODELS))).toContain(
      'Postgres role postgres is a superuser',
    );
  });
});

describe('the role of ingest', () => {
  it('is accepted if it owns the schemas, and no other role is', async () => {
    const ingest = await connect(accessOf('cairn_ingest'));
    await assertOwner(ingest.pool, READ_MODELS);
    for (const sql of ['checkpoint', 'select pg_switch_wal()', 'vacuum (full) library.items'])
      await ingest.pool.query(sql);
    await admin('revoke pg_checkpoint from cairn_ingest');
    expect(await refusalOf(assertOwner(ingest.pool, READ_MODELS))).toContain('cairn_ingest may not run checkpoint');
    await admin('grant pg_checkpoint to cairn_ingest');
    const search = await connect(accessOf('cairn_search'));
    expect(await refusalOf(assertOwner(search.pool, READ_MODELS))).toContain('cairn_search may not create schemas');
    await admin('create role other login; grant create on database postgres to other');
    await admin('grant create on schema public to other');
    await admin('grant pg_checkpoint to other; grant execute on function pg_switch_wal() to other');
    const other = await connect({ url: server.url.replace('postgres@', 'other@') });
    expect(await refusalOf(assertOwner(other.pool, READ_MODELS))).toMatch(
      /^Postgres role other does not own schema cairn, which /,
    );
  });
});

describe('a connection to Postgres', () => {
  it('is refused with a wrong password, for a role that does not exist, and for a missing database', async () => {
    const { url } = accessOf('cairn_search');
    const passwordFile = fileWith('wrong', 'guess');
    expect(await refusalOf(connect({ url, passwordFile }))).toBe(
      'Postgres at HOST refuses the password of role cairn_search; check DATABASE_PASSWORD_FILE',
    );
    expect(await refusalOf(connect({ url: url.replace('cairn_search@', 'stranger@') }))).toBe(
      'Postgres at HOST refuses role stranger; check that it exists, may log in, and is admitted by pg_hba.conf',
    );
    expect(
      await refusalOf(
        connect({ url: url.replace('/postgres', '/none'), passwordFile: accessOf('cairn_search').passwordFile }),
      ),
    ).toBe('Postgres at HOST has no such database; create it, or correct its name in DATABASE_URL');
  });
  it('reads the password again for every connection, so that it can be changed without a restart', async () => {
    const passwordFile = fileWith('rotated', 'old');
    await admin(`alter role cairn_search password 'old'`);
    const search = await connect({ ...accessOf('cairn_search'), passwordFile });
    await admin(`alter role cairn_search password 'new'`);
    fileWith('rotated', 'new');
    const both = await Promise.all([search.pool.connect(), search.pool.connect()]);
    for (const client of both) client.release();
  });

  it('checks the certificate of the server against the given authority', async () => {
    const { cert, key } = testCertificate('localhost', [127, 0, 0, 1]);
    const tls = { caFile: fileWith('ca.pem', cert) };
    expect(await refusalOf(connect({ url: server.url, tls }))).toBe(
      'Postgres at HOST does not offer TLS; switch it on there, or unset DATABASE_CA_FILE and DATABASE_CERT_FILE',
    );
    const front = await tlsFront(server.url, { cert, key });
    const secure = await connect({ url: front.url, tls });
    expect((await secure.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    const other = fileWith('other.pem', testCertificate('localhost', [127, 0, 0, 1]).cert);
    expect(await refusalOf(connect({ url: front.url, tls: { caFile: other } }))).toMatch(
      /^Postgres at \S+ has a certificate that DATABASE_CA_FILE did not sign \(\w+\); set DATABASE_CA_FILE to /,
    );
  });
});
