import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemPrincipal, type CommandData, type Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { createLogger } from '@cairn/observability';
import { ALWAYS_OURS } from '@cairn/op-log';
import { openServerSecrets } from '@cairn/vault';
import { ConfirmationSweeper } from './confirmations/confirmation-sweeper.js';
import { IngestUnderTest } from './ingest-under-test.harness.js';
import { OP_PROJECTIONS, rebuilt } from './rebuilt.harness.js';

const SECRET = `s${randomBytes(12).toString('hex')}`;

describe('external servers', () => {
  let ingest: IngestUnderTest;
  let admin: Principal;

  beforeAll(async () => {
    ingest = await IngestUnderTest.start();
    admin = await ingest.workspace();
  }, 60_000);
  afterAll(() => ingest.stop());

  const register = async (more: Partial<CommandData<'server.register'>> = {}): Promise<string> => {
    const { serverId } = await ingest.command(admin, 'server.register', {
      serverId: systemIds.next(),
      name: `s-${randomBytes(4).toString('hex')}`,
      url: `https://mcp.example.com/${SECRET}`,
      transport: 'auto',
      credential: { kind: 'bearer', value: SECRET },
      enabled: true,
      approval: 'first-use',
      ...more,
    });
    return serverId;
  };

  const remove = (serverId: string) => ingest.command(admin, 'server.remove', { serverId });

  const rowOf = async (serverId: string) => {
    const { rows } = await ingest.pool.query<{ sealed: Buffer | null; wrapped_key: Buffer | null; tools: unknown }>(
      'select * from library.external_mcp_servers where id = $1',
      [serverId],
    );
    return rows[0]!;
  };

  const wholeLog = async (): Promise<string> => {
    const { rows } = await ingest.pool.query<{ body: Buffer }>('select body from archive.ops');
    return rows.map(({ body }) => body.toString()).join('\n');
  };

  it('keep address and credential sealed in the log and in the tables', async () => {
    const serverId = await register();
    expect(await wholeLog()).not.toContain(SECRET);
    const { rows } = await ingest.pool.query<{ found: number }>(
      `select count(*)::int as found from library.external_mcp_servers t where position($1 in t::text) > 0`,
      [SECRET],
    );
    expect(rows[0]!.found).toBe(0);
    const { sealed, wrapped_key: key } = await rowOf(serverId);
    const opened = openServerSecrets(
      ingest.vault.unwrap(admin.workspaceId, serverId, key!),
      admin.workspaceId,
      serverId,
      sealed!,
    );
    expect(opened).toEqual({ url: `https://mcp.example.com/${SECRET}`, credential: { kind: 'bearer', value: SECRET } });
  });

  it('lose their key and their row’s secrets when they are removed', async () => {
    const serverId = await register();
    expect(await ingest.vault.hasKeys(admin.workspaceId, serverId)).toBe(true);
    await remove(serverId);
    expect(await ingest.vault.hasKeys(admin.workspaceId, serverId)).toBe(false);
    expect(await rowOf(serverId)).toMatchObject({ sealed: null, wrapped_key: null, tools: [] });
  });

  it('lose their key in the next sweep if a process died before destroying it', async () => {
    const serverId = await register();
    const destroyed: string[] = [];
    await remove(serverId);
    await new ConfirmationSweeper({
      pool: ingest.pool,
      vault: { destroy: (_: string, id: string) => Promise.resolve(void destroyed.push(id)) } as never,
      clock: { now: () => Date.now() },
      logger: createLogger({ name: 'test', level: 'fatal', format: 'json' }),
      expire: () => Promise.resolve(),
      turn: ALWAYS_OURS,
    }).sweep();
    expect(destroyed).toContain(serverId);
  });

  it('are rebuilt identically, including removed ones', async () => {
    const kept = await register();
    const tools = [{ name: 'search', hash: 'a'.repeat(64) }];
    await ingest.command(systemPrincipal(admin.workspaceId), 'server.pin', { serverId: kept, tools });
    await ingest.command(admin, 'server.configure', { serverId: kept, credential: null, enabled: false });
    await remove(await register());
    const { live, next } = await rebuilt(ingest.stores, OP_PROJECTIONS);
    expect(next).toEqual(live);
  }, 60_000);

  it('answer a repeated registration with the first one, and reject another one under its key', async () => {
    const id = systemIds.next();
    const data = {
      name: 'twice',
      url: 'https://mcp.example.com/a',
      transport: 'auto',
      enabled: true,
      approval: 'manual',
    } as const;
    const first = await ingest.command(admin, 'server.register', { serverId: systemIds.next(), ...data }, id);
    const second = await ingest.command(admin, 'server.register', { serverId: systemIds.next(), ...data }, id);
    expect(second).toEqual(first);
    const other = { serverId: systemIds.next(), ...data, url: 'https://mcp.example.com/b' };
    await expect(ingest.command(admin, 'server.register', other, id)).rejects.toMatchObject({
      code: 'idempotency.key_reused',
    });
  });
});
