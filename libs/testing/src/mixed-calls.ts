import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';

const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const CLIENT = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'mixed-calls', version: '1' } };

interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface ListedItem {
  readonly title: string;
  readonly embeddingStatus: string;
}

export interface ListedProjection {
  readonly name: string;
  readonly lagOps: number;
}

/** The JSON of an answer, or of the only event of a stream. */
const jsonOf = (text: string): Record<string, unknown> =>
  JSON.parse(/^data: *(\{.*)$/m.exec(text)?.[1] ?? text) as Record<string, unknown>;

const resultOf = ({ status, text }: HttpAnswer): Record<string, unknown> => {
  const { result } = status === 200 ? (jsonOf(text) as { result?: Record<string, unknown> }) : {};
  if (!result?.['structuredContent'] || result['isError'] === true)
    throw new Error(`HTTP ${status}: ${text.slice(0, 300)}`);
  return result['structuredContent'] as Record<string, unknown>;
};

/** The calls of a steady load, over connections that are kept, as those of agents are. Nothing is tried twice. */
export class MixedCalls {
  private readonly agent = new Agent({ keepAlive: true });

  constructor(private readonly token: string) {}

  async search(url: string): Promise<void> {
    await this.tool(url, 'search_knowledge_base', { query: `harbour ${randomUUID().slice(0, 4)}` });
  }

  async store(url: string, title: string): Promise<void> {
    await this.tool(url, 'store_knowledge', { title, body: `A note about a harbour, called ${title}.` });
  }

  async sessionSearch(url: string, sessionId: string): Promise<void> {
    const params = { name: 'search_knowledge_base', arguments: { query: 'harbour', mode: 'keyword' } };
    resultOf(await this.rpc(url, { method: 'tools/call', params }, { 'mcp-session-id': sessionId }));
  }

  async openSession(url: string): Promise<string> {
    const { headers } = await this.rpc(url, { method: 'initialize', params: CLIENT });
    return String(headers['mcp-session-id']);
  }

  async restStore(url: string, title: string): Promise<void> {
    const body = { title, text: `A note about a harbour, called ${title}.` };
    await this.rest(url, 'POST', '/items', 201, body);
  }

  async restList(url: string): Promise<void> {
    await this.rest(url, 'GET', '/items?limit=5', 200);
  }

  /** All items. */
  async items(url: string): Promise<ListedItem[]> {
    const items: ListedItem[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const path: string = `/items?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const page = (await this.rest(url, 'GET', path, 200)) as {
        items: readonly ListedItem[];
        nextCursor: string | null;
      };
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    return items;
  }

  async projections(url: string): Promise<ListedProjection[]> {
    return ((await this.rest(url, 'GET', '/projections', 200)) as { items: ListedProjection[] }).items;
  }

  close(): void {
    this.agent.destroy();
  }

  private async tool(url: string, name: string, args: object): Promise<Record<string, unknown>> {
    const message = { method: 'tools/call', params: { name, arguments: args, _meta: META } };
    const headers = { 'mcp-protocol-version': REVISION, 'mcp-method': 'tools/call', 'mcp-name': name };
    return resultOf(await this.rpc(url, message, headers));
  }

  private rpc(url: string, message: object, headers: Record<string, string> = {}): Promise<HttpAnswer> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
    return this.send(`${url}/mcp`, 'POST', body, { accept: 'application/json, text/event-stream', ...headers });
  }

  private async rest(url: string, method: string, path: string, expected: number, body?: object): Promise<unknown> {
    const answer = await this.send(`${url}/api/v1${path}`, method, body && JSON.stringify(body));
    if (answer.status !== expected) throw new Error(`HTTP ${answer.status}: ${answer.text.slice(0, 300)}`);
    return JSON.parse(answer.text);
  }

  private send(
    url: string,
    method: string,
    body: string | undefined,
    more: Record<string, string> = {},
  ): Promise<HttpAnswer> {
    const headers = {
      authorization: `Bearer ${this.token}`,
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...more,
    };
    return new Promise((resolve, reject) => {
      const sent = request(url, { agent: this.agent, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (text += part));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
}
