import { beforeEach, describe, expect, it } from '@jest/globals';
import { SERVERS_PER_WORKSPACE_MAX, systemPrincipal, type CommandData } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { CairnPort } from './cairn.port.js';
import { errorOf, TestWorkspace, type OpenCairn } from './cairn-workspace.builder.js';

const URL_GIVEN = 'https://mcp.example.com/mcp?key=k-4711';
const credential = { kind: 'bearer' as const, value: 'secret-4711' };
const HASH = 'a'.repeat(64);
const OTHER_HASH = 'b'.repeat(64);

export const describeServers = (open: OpenCairn): void => {
  let workspace: TestWorkspace;
  let admin: CairnPort;
  let system: CairnPort;

  beforeEach(async () => {
    workspace = await TestWorkspace.create(open);
    admin = workspace.admin;
    system = open(systemPrincipal(workspace.id));
  });

  const register = async (more: Partial<CommandData<'server.register'>> = {}): Promise<string> => {
    const data = {
      serverId: uuidV7(),
      name: 'beeper',
      url: URL_GIVEN,
      transport: 'auto' as const,
      enabled: true,
      approval: 'first-use' as const,
      ...more,
    };
    return (await admin.command('server.register', data)).serverId;
  };

  const opened = async (serverId: string) =>
    (await system.query('servers.open', {})).items.find(({ id }) => id === serverId);

  const pinsOf = async (serverId: string) => (await opened(serverId))?.pins;

  describe('an external server', () => {
    it('is listed to an admin without its secrets, and opened with them only for Cairn itself', async () => {
      const serverId = await register({ credential });
      const { items } = await admin.query('servers.list', {});
      const fields = {
        id: serverId,
        name: 'beeper',
        transport: 'auto',
        enabled: true,
        approval: 'first-use',
        pins: [],
      };
      expect(items).toEqual([{ ...fields, url: 'https://mcp.example.com/mcp?key=***' }]);
      expect(JSON.stringify(items)).not.toContain('4711');
      expect(await opened(serverId)).toEqual({ ...fields, secrets: { url: URL_GIVEN, credential } });
    });

    it('is opened for no token, not even an admin’s', async () => {
      await register({ credential });
      expect((await errorOf(admin.query('servers.open', {}))).code).toBe('scope.missing');
    });

    it('is unknown in another workspace', async () => {
      const serverId = await register();
      const { admin: stranger } = await TestWorkspace.create(open);
      expect((await stranger.query('servers.list', {})).items).toEqual([]);
      for (const work of [
        () => stranger.query('servers.list', { serverId }),
        () => stranger.command('server.configure', { serverId, enabled: false }),
        () => stranger.command('server.configure', { serverId, url: 'https://evil.example.com/mcp' }),
        () => stranger.command('server.remove', { serverId }),
      ])
        expect(await errorOf(work())).toEqual({ code: 'server.not_found', details: { field: 'id' } });
    });

    it('has a unique name in the workspace', async () => {
      await register();
      expect(await errorOf(register())).toEqual({ code: 'server.name_taken', details: { field: 'name' } });
      const other = await register({ name: 'other' });
      const rename = admin.command('server.configure', { serverId: other, name: 'beeper' });
      expect((await errorOf(rename)).code).toBe('server.name_taken');
    });

    it('is refused beyond the limit of a workspace', async () => {
      for (let i = 0; i < SERVERS_PER_WORKSPACE_MAX; i++) await register({ name: `server-${i}` });
      const details = { limit: SERVERS_PER_WORKSPACE_MAX };
      expect(await errorOf(register({ name: 'one-more' }))).toEqual({ code: 'server.too_many', details });
    });

    it('keeps its address when the credential changes, and its credential when the path of the address changes', async () => {
      const serverId = await register({ credential });
      const value = 'secret-4712';
      await admin.command('server.configure', { serverId, credential: { kind: 'bearer', value } });
      expect((await opened(serverId))?.secrets).toMatchObject({ url: URL_GIVEN, credential: { value } });
      const url = 'https://mcp.example.com/other';
      await admin.command('server.configure', { serverId, url });
      expect((await opened(serverId))?.secrets).toMatchObject({ url, credential: { value } });
      await admin.command('server.configure', { serverId, credential: null });
      expect((await opened(serverId))?.secrets.credential).toBeUndefined();
    });

    it('takes its credential to no other origin, unless it is given again', async () => {
      const serverId = await register({ credential });
      for (const url of [
        'https://mcp.example.org/mcp',
        'https://mcp.example.com:8443/mcp',
        'http://mcp.example.com/mcp',
      ]) {
        const error = await errorOf(admin.command('server.configure', { serverId, url }));
        expect(error).toEqual({ code: 'input.invalid', details: { field: 'credential' } });
      }
      expect((await opened(serverId))?.secrets).toEqual({ url: URL_GIVEN, credential });
      const url = 'https://mcp.example.org/mcp';
      await admin.command('server.configure', { serverId, url, credential });
      expect((await opened(serverId))?.secrets).toEqual({ url, credential });
      await admin.command('server.configure', { serverId, url: URL_GIVEN, credential: null });
      expect((await opened(serverId))?.secrets).toEqual({ url: URL_GIVEN });
      await admin.command('server.configure', { serverId, url });
      expect((await opened(serverId))?.secrets).toEqual({ url });
    });

    it('keeps its address when the masked address is sent back', async () => {
      const serverId = await register();
      const { items } = await admin.query('servers.list', { serverId });
      await admin.command('server.configure', { serverId, url: items[0]!.url });
      expect((await opened(serverId))?.secrets.url).toBe(URL_GIVEN);
    });

    it('is gone once it is removed, and its name is free', async () => {
      const serverId = await register();
      await admin.command('server.remove', { serverId });
      expect((await admin.query('servers.list', {})).items).toEqual([]);
      expect((await system.query('servers.open', {})).items).toEqual([]);
      expect((await errorOf(admin.command('server.remove', { serverId }))).code).toBe('server.not_found');
      await register();
    });
  });

  describe('the pins of an external server', () => {
    const tools = [{ name: 'search', hash: HASH }];

    it('are those of the first discovery; a second one changes nothing', async () => {
      const serverId = await register();
      await system.command('server.pin', { serverId, tools });
      await system.command('server.pin', { serverId, tools: [{ name: 'search', hash: OTHER_HASH }] });
      expect(await pinsOf(serverId)).toEqual(tools);
    });

    it('cannot be set by a token', async () => {
      const serverId = await register();
      expect((await errorOf(admin.command('server.pin', { serverId, tools }))).code).toBe('scope.missing');
    });

    it('are not taken from a discovery if a person must approve', async () => {
      const serverId = await register({ approval: 'manual' });
      await system.command('server.pin', { serverId, tools });
      expect(await pinsOf(serverId)).toEqual([]);
      await admin.command('server.configure', { serverId, approve: tools });
      expect(await pinsOf(serverId)).toEqual(tools);
    });

    it('are replaced by name when a person approves, and the others stay', async () => {
      const serverId = await register();
      await system.command('server.pin', { serverId, tools: [...tools, { name: 'send', hash: HASH }] });
      await admin.command('server.configure', { serverId, approve: [{ name: 'search', hash: OTHER_HASH }] });
      expect(await pinsOf(serverId)).toEqual([
        { name: 'search', hash: OTHER_HASH },
        { name: 'send', hash: HASH },
      ]);
    });

    it('are dropped when the server gets another address, and kept when it gets another name', async () => {
      const serverId = await register();
      await system.command('server.pin', { serverId, tools });
      await admin.command('server.configure', { serverId, name: 'renamed' });
      expect(await pinsOf(serverId)).toEqual(tools);
      await admin.command('server.configure', { serverId, url: 'https://mcp.example.org/' });
      expect(await pinsOf(serverId)).toEqual([]);
    });
  });
};
