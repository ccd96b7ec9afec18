import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { RUNS, type Agent, type AgentAnswer, type Sources } from './agent.harness.js';

export interface Product {
  /** The URL of the gateway, without a path. */
  readonly url: string;
  /** The token of an admin: it connects an account to import rows into. */
  readonly token: string;
}

const refused = (thrown: unknown): AgentAnswer => {
  const { code, message } = thrown as { code?: unknown; message?: string };
  return { isError: true, content: [], structuredContent: { code: String(code), message } };
};

const importRows = async ({ url, token }: Product): Promise<void> => {
  const ask = async (path: string, init: RequestInit): Promise<{ readonly id: string }> => {
    const headers = { authorization: `Bearer ${token}`, ...(init.headers as object) };
    const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', ...init, headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  const account = JSON.stringify({ connectorId: 'strava', label: 'Evaluation' });
  const { id } = await ask('/accounts', { headers: { 'content-type': 'application/json' }, body: account });
  const rows = RUNS.map((run) => `${run.id},${run.at},${run.category},${run.metrics.distance_meters}`);
  const form = new FormData();
  form.append('file', new Blob([['id,start_date,type,distance', ...rows].join('\n')]), 'activities.csv');
  await ask(`/accounts/${id}/import`, { body: form });
};

/** An agent outside the host, over MCP. A source with texts cannot be connected from here. */
export const productAgent = async (product: Product): Promise<Agent & Sources & { close: () => Promise<void> }> => {
  const client = new Client({ name: 'cairn-eval', version: '0.1.0' });
  const requestInit = { headers: { Authorization: `Bearer ${product.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', product.url), { requestInit }));
  return {
    importRows: () => importRows(product),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    // A tool that fails with a JSON-RPC code counts as refused as well.
    call: async (name, args) =>
      client.callTool({ name, arguments: { ...args } }).then((answer) => answer as unknown as AgentAnswer, refused),
    close: () => client.close(),
  };
};
