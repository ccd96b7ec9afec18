import { describe, expect, it } from '@jest/globals';
import { EXTERNAL_CATALOGUE_MS, fail, type OpenedServer, type Principal } from '@cairn/contracts';
import type { Discovery, ExternalTool } from '@cairn/external-mcp';
import { createLogger, createMetrics } from '@cairn/observability';
import type { RestCall } from '../rest/rest-request.js';
import { ExternalTools } from './external-tools.js';
import { ServerDesk } from './server-desk.js';
import { ToolCatalogue } from './tool-catalogue.js';

const WORKSPACE = 'w-1';
const SERVER = 's-1';
const caller = { workspaceId: WORKSPACE, scopes: ['external'], toolsets: ['external'] } as unknown as Principal;

const tool = (description = 'as approved'): ExternalTool => ({
  name: 'search',
  listedAs: 'ext__search',
  hash: description,
  description,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: false, openWorldHint: true },
});

const found = (...tools: readonly ExternalTool[]): Discovery => ({ era: 'initialize', tools });

/** One gateway with one registered server, whose discoveries a test answers. */
class World {
  nowMs = 0;
  server: OpenedServer = {
    id: SERVER,
    name: 'ext',
    transport: 'auto',
    enabled: true,
    approval: 'first-use',
    pins: [],
    secrets: { url: 'https://mcp.example.com/mcp' },
  };
  answer: () => Promise<Discovery> = () => Promise.resolve(found(tool()));
  onCall: () => Promise<never> | undefined = () => undefined;
  discoveries = 0;
  /** The fingerprints that connections were kept for. */
  readonly kept: string[] = [];

  private readonly metrics = createMetrics();
  readonly catalogue = new ToolCatalogue({
    external: {
      discover: () => (this.discoveries++, this.answer()),
      disconnect: (_, exceptFingerprint) => void this.kept.push(exceptFingerprint ?? 'none'),
    },
    open: () => Promise.resolve([this.server]),
    pin: (_, __, pins) => ((this.server = { ...this.server, pins: [...pins] }), Promise.resolve()),
    checkUrl: () => undefined,
    clock: { now: () => this.nowMs },
    logger: createLogger({ name: 'gateway', level: 'silent', format: 'json' }),
    metrics: this.metrics,
  });
  readonly tools = new ExternalTools(
    this.catalogue,
    { call: () => this.onCall() ?? Promise.resolve({ content: [], isError: false, sanitized: false }) },
    this.metrics,
  );
  readonly desk = new ServerDesk(this.catalogue, () => undefined);

  readonly asAdmin = {
    principal: caller,
    cairn: { query: () => Promise.resolve({ items: [{ ...this.server, url: this.server.secrets.url }] }) },
  } as unknown as RestCall;

  change(more: Partial<OpenedServer>): void {
    this.server = { ...this.server, ...more };
    this.catalogue.invalidate(WORKSPACE);
  }

  /** Without waiting for a discovery that takes longer than a turn. */
  async seen(waitMs = 20) {
    return (await this.catalogue.seen(WORKSPACE, waitMs))[0]!;
  }

  async states(waitMs?: number) {
    return (await this.seen(waitMs)).tools.map(({ state }) => state);
  }

  call(): Promise<string> {
    return this.tools.call('ext__search', {}, caller).then(
      () => 'ok',
      ({ code }: { code: string }) => code,
    );
  }
}

const LONG_MS = 1_000;
const known = async (): Promise<World> => {
  const world = new World();
  expect(await world.states(LONG_MS)).toEqual(['listed']);
  return world;
};

/** A discovery that a test ends. */
const pending = () => {
  let end: (discovery: Discovery) => void = () => undefined;
  let break_: (error: Error) => void = () => undefined;
  const discovery = new Promise<Discovery>((resolve, reject) => ([end, break_] = [resolve, reject]));
  return { discovery, end, fail: break_ };
};

describe('a server that lists its tools slowly', () => {
  it('keeps the tools of its last discovery while the next one is under way', async () => {
    const world = await known();
    const { discovery, end } = pending();
    world.answer = () => discovery;
    world.nowMs += EXTERNAL_CATALOGUE_MS;
    expect(await world.states()).toEqual(['listed']);
    end(found(tool('changed')));
    expect(await world.states(LONG_MS)).toEqual(['withheld']);
    expect(world.discoveries).toBe(2);
  });

  it('is called by what is known of it, and asked once however many calls there are', async () => {
    const world = await known();
    world.answer = () => pending().discovery;
    world.nowMs += EXTERNAL_CATALOGUE_MS;
    expect(await Promise.all([world.call(), world.call()])).toEqual(['ok', 'ok']);
    expect(world.discoveries).toBe(2);
  });

  it('is not asked again by calls that its first discovery is too slow for', async () => {
    const world = new World();
    const { discovery, end } = pending();
    world.answer = () => discovery;
    expect(await Promise.all([world.call(), world.call()])).toEqual(['server.timeout', 'server.timeout']);
    end(found(tool()));
    expect(await world.call()).toBe('ok');
    expect(world.discoveries).toBe(1);
  });

  it('is left out when the next discovery fails', async () => {
    const world = await known();
    const { discovery, fail: break_ } = pending();
    world.answer = () => discovery;
    world.nowMs += EXTERNAL_CATALOGUE_MS;
    await world.seen();
    break_(fail('server.unavailable', 'down'));
    expect(await world.seen(LONG_MS)).toMatchObject({ tools: [], error: { code: 'server.unavailable' } });
  });

  it('is asked again after a call that it did not answer, and is offered meanwhile', async () => {
    const world = await known();
    world.onCall = () => Promise.reject(fail('server.timeout', 'slow'));
    expect(await world.call()).toBe('server.timeout');
    world.answer = () => pending().discovery;
    expect(await world.states()).toEqual(['listed']);
    expect(world.discoveries).toBe(2);
  });

  it('that reports a change with each list is asked again only once the list is there', async () => {
    const world = new World();
    const { discovery, end } = pending();
    world.answer = () => discovery;
    await world.seen();
    world.catalogue.stale(SERVER);
    await world.seen();
    expect(world.discoveries).toBe(1);
    end(found(tool()));
    expect(await world.states(LONG_MS)).toEqual(['listed']);
    await world.seen(LONG_MS);
    expect(world.discoveries).toBe(2);
  });

  it('is asked now by a person who refreshes it, after a discovery that began before', async () => {
    const world = await known();
    const { discovery, end } = pending();
    world.answer = () => discovery;
    world.nowMs += EXTERNAL_CATALOGUE_MS;
    await world.seen();
    const refreshed = world.desk.refresh(world.asAdmin, SERVER);
    world.answer = () => Promise.resolve(found(tool('changed')));
    end(found(tool()));
    expect((await refreshed).tools).toMatchObject([{ state: 'withheld' }]);
  });
});

describe('a server that is changed', () => {
  it('trusts what it offers in the next list once its approval is first-use', async () => {
    const world = new World();
    world.change({ approval: 'manual' });
    expect(await world.states(LONG_MS)).toEqual(['waiting']);
    world.change({ approval: 'first-use' });
    expect(await world.states(LONG_MS)).toEqual(['listed']);
  });

  it('is disconnected by a notice once it is disabled, before anyone lists its tools', async () => {
    const world = await known();
    world.server = { ...world.server, enabled: false };
    world.kept.length = 0;
    world.catalogue.changed(WORKSPACE, SERVER);
    await new Promise((resolve) => setImmediate(resolve));
    expect(world.kept).toEqual(['none']);
    expect(world.discoveries).toBe(1);
  });

  it('is not opened by a notice where no one has asked for it', async () => {
    const world = new World();
    world.catalogue.changed(WORKSPACE, SERVER);
    await new Promise((resolve) => setImmediate(resolve));
    expect(world.kept).toEqual([]);
  });
});

describe('an approval', () => {
  const pins = (world: World) => world.desk.pins(world.asAdmin, SERVER);

  it('is of the definition that was last seen, however long ago, and asks no server', async () => {
    const world = await known();
    world.answer = () => Promise.resolve(found(tool('hostile')));
    world.nowMs += EXTERNAL_CATALOGUE_MS;
    expect(await pins(world)).toEqual([{ name: 'search', hash: 'as approved' }]);
    expect(world.discoveries).toBe(1);
  });

  it('is of the definition that was last seen although the server reports a change, or is being asked', async () => {
    const world = await known();
    world.answer = () => pending().discovery;
    world.catalogue.stale(SERVER);
    expect(await pins(world)).toEqual([{ name: 'search', hash: 'as approved' }]);
    await world.seen();
    expect(await pins(world)).toEqual([{ name: 'search', hash: 'as approved' }]);
  });

  it('is refused where nothing was seen, as on a gateway that has just started', async () => {
    const world = new World();
    await expect(pins(world)).rejects.toMatchObject({ code: 'server.unavailable' });
    expect(world.discoveries).toBe(0);
  });
});

describe('a tool that has changed', () => {
  const shown = async (world: World) => (await world.desk.tools(world.asAdmin, SERVER))[0]!;
  const approved = { description: 'as approved', inputSchema: { type: 'object' }, annotations: tool().annotations };
  const discover = async (world: World, answer: Discovery): Promise<void> => {
    world.answer = () => Promise.resolve(answer);
    world.nowMs += EXTERNAL_CATALOGUE_MS;
    await world.seen(LONG_MS);
  };

  it('is shown with its hash and with the definition that was approved', async () => {
    const world = await known();
    expect(await shown(world)).toMatchObject({ hash: 'as approved', approved: null });
    for (const description of ['changed', 'changed again']) {
      await discover(world, found(tool(description)));
      expect(await shown(world)).toMatchObject({ state: 'withheld', hash: description, description, approved });
    }
    await discover(world, found(tool()));
    expect(await shown(world)).toMatchObject({ state: 'listed', approved: null });
  });

  it('is shown so although it was gone meanwhile, or its server unavailable', async () => {
    const world = await known();
    await discover(world, found());
    world.answer = () => Promise.reject(fail('server.unavailable', 'down'));
    world.nowMs += EXTERNAL_CATALOGUE_MS;
    await world.seen(LONG_MS);
    await discover(world, found(tool('changed')));
    expect(await shown(world)).toMatchObject({ hash: 'changed', approved });
  });

  it('is shown without it where the approved definition was not seen', async () => {
    const world = new World();
    world.change({ pins: [{ name: 'search', hash: 'earlier' }] });
    expect(await shown(world)).toMatchObject({ state: 'withheld', wasApproved: true, approved: null });
  });
});
