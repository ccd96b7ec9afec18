import { TOOLSETS } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { AgentRuntime } from '../agent-runtime.js';
import { InMemoryCairn } from '../cairn.fake.js';
import type { CairnPort } from '../cairn.port.js';
import { itemData } from '../cairn-workspace.builder.js';
import { InMemoryFiles } from '../file.fake.js';
import { InMemoryMesh } from '../mesh.fake.js';
import { InMemoryPages } from '../page.fake.js';
import { findTool, TOOLS } from '../registry.js';

/** A tool's JSON, as evaluations read it. */
type Loose = ReturnType<typeof JSON.parse>;

export interface AgentAnswer {
  readonly isError?: boolean | undefined;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent: Loose;
}

/** A scripted agent: it lists tools and calls them. */
export interface Agent {
  readonly tools: () => Promise<readonly string[]>;
  readonly call: (tool: string, args: object) => Promise<AgentAnswer>;
  /** The same agent outside a run, where the host has runs. */
  readonly outsideRun?: Agent;
}

/** Data that no tool can store: rows of a source, and a text that has a mesh URI. */
export interface Sources {
  readonly importRows: () => Promise<void>;
  readonly meshUri?: () => Promise<string>;
}

export interface AgentInMemory extends Agent, Sources {
  readonly outsideRun: Agent;
  readonly meshUri: () => Promise<string>;
}

/** A Tuesday. */
const clock = { now: () => Date.parse('2027-03-02T12:00:00Z') };

const account = (cairn: CairnPort, connectorId: string) =>
  cairn.command('account.connect', {
    accountId: uuidV7(),
    connectorId,
    label: 'An account',
    retention: connectorId === 'strava' ? 'metadata' : 'full',
    hydrate: true,
    confirm: 'never',
    batchTokensMax: 4_000,
    settings: {},
    multiAccount: true,
  });

/** Four runs, in the form of a file of activities. */
export const RUNS = [2, 3, 9, 10].map((day) => ({
  id: `run-${day}`,
  at: `2027-02-${String(day).padStart(2, '0')}T07:00:00.000Z`,
  category: 'Run',
  metrics: { distance_meters: day * 1_000, activities: 1 },
}));

const sourcesOn = (cairn: CairnPort): Required<Sources> => ({
  importRows: async () => {
    const { accountId } = await account(cairn, 'strava');
    await cairn.command('observations.import', { accountId, rows: RUNS });
  },
  meshUri: async () => {
    const { accountId } = await account(cairn, 'folder');
    const document = { title: 'Manual', text: 'Fill the lamp before dusk.', kind: 'file' as const };
    const found = { accountId, ref: 'manual.md', version: '1', retention: 'full' as const };
    const { itemId } = await cairn.command('item.sync', { ...found, ...document });
    return `mesh://folder/${accountId}/${itemId}`;
  },
});

const runtimeOn = (cairn: CairnPort, run?: { readonly logCardId: string }): AgentRuntime => {
  const context = {
    cairn,
    clock,
    pages: new InMemoryPages(),
    files: new InMemoryFiles(),
    mesh: new InMemoryMesh(cairn, clock),
    run,
  };
  return new AgentRuntime({
    context,
    principal: { scopes: ['admin'], toolsets: [...TOOLSETS] },
    correlationId: 'evaluation',
  });
};

const agentOn = (runtime: AgentRuntime): Agent => ({
  tools: () => Promise.resolve(runtime.list().map(({ name }) => name)),
  call: async (tool, args) => runtime.call(tool, args),
});

const newCairn = (): CairnPort => new InMemoryCairn(clock).as({ workspaceId: uuidV7(), agentId: 'evaluation' });

/** An agent inside a host that keeps everything in memory, in its own run. */
export const agentInMemory = async (): Promise<AgentInMemory> => {
  const cairn = newCairn();
  const card = itemData({ kind: 'log-card', title: 'Run 7', text: 'An evaluation of the tools.', inKb: false });
  const { itemId: logCardId } = await cairn.command('item.store', card);
  const inside = agentOn(runtimeOn(cairn, { logCardId }));
  return { ...inside, ...sourcesOn(cairn), outsideRun: agentOn(runtimeOn(cairn)) };
};

/** The registry behind a server of the SDK: exactly what a client is offered. */
const serverOn = (runtime: AgentRuntime): Server => {
  const server = new Server({ name: 'cairn-in-memory', version: '0.1.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.map(({ name, title, description, inputSchema, outputSchema, annotations }) => {
      return { name, title, description, inputSchema, outputSchema, annotations } as never;
    }),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    if (!findTool(params.name)) throw new Error(`there is no tool ${params.name}`);
    return (await runtime.call(params.name, params.arguments)) as never;
  });
  return server;
};

export interface McpAgent extends Agent, Required<Sources> {
  readonly close: () => Promise<void>;
}

/**
 * A client of the SDK and a server over an in-memory transport: the client checks answers against the published
 * schemas.
 */
export const mcpAgentInMemory = async (): Promise<McpAgent> => {
  const cairn = newCairn();
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await serverOn(runtimeOn(cairn)).connect(serverSide);
  const client = new Client({ name: 'cairn-smoke', version: '0.1.0' });
  await client.connect(clientSide);
  return {
    ...sourcesOn(cairn),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => (await client.callTool({ name, arguments: { ...args } })) as unknown as AgentAnswer,
    close: () => client.close(),
  };
};
