import { setTimeout as delay } from 'node:timers/promises';
import type { StandaloneOptions } from '@cairn/testing';
import { StandaloneHost, type Host } from './host.js';
import { itemBody, type NewItem } from './item-body.js';
import { runLoad, type Round } from './load.js';
import { McpClient } from './mcp-client.js';
import { toolCall, type PreparedRequest } from './mcp-request.js';
import { cpuMsOfTree, memoryOfTree, type ProcessMemory } from './process-usage.js';
import type { SeededText } from './seeded-texts.js';
import { sum } from './statistics.js';
import type { Era } from './workloads.js';

interface ProjectionView {
  readonly name: string;
  readonly head: number;
  readonly lagOps: number;
}

const POLL_MS = 100;
/** If no new vector arrives within this time, none will. */
const STALLED_MS = 60_000;

/** The measured product: a real standalone process on its own home, or another host. */
export class Product<H extends Host = StandaloneHost> {
  /** Stored so far, in this process. */
  chunks = 0;

  constructor(readonly host: H) {}

  static async start(
    home: string,
    env: Record<string, string> = {},
    options: StandaloneOptions = {},
  ): Promise<Product> {
    return new Product(await StandaloneHost.start(home, env, options));
  }

  /** Its embedding endpoint never answers, so the write path runs alone on both cores. */
  static startWithoutEmbedder(
    home: string,
    env: Record<string, string> = {},
    options: StandaloneOptions = {},
  ): Promise<Product> {
    return Product.start(home, { EMBEDDING_URL: 'http://127.0.0.1:1/v1', EMBEDDING_MODEL: 'none', ...env }, options);
  }

  get mcpUrl(): string {
    return this.host.mcpUrl;
  }

  get token(): string {
    return this.host.token;
  }

  readonly cpuMs = (): number => sum(this.host.pids.map(cpuMsOfTree));

  /** Of all its processes. */
  memory(): ProcessMemory[] {
    return this.host.pids.flatMap(memoryOfTree);
  }

  storeRequest(era: Era, { title, body, tag }: SeededText): PreparedRequest {
    return toolCall(era, 'store_knowledge', { title, body, tags: [tag] }, this.token);
  }

  searchRequest(era: Era, query: string, limit: number): PreparedRequest {
    return toolCall(era, 'search_knowledge_base', { query, limit, mode: 'hybrid' }, this.token);
  }

  async store(texts: readonly SeededText[], concurrency: number, era: Era = 'stateless'): Promise<Round> {
    const client = new McpClient(this.mcpUrl, concurrency);
    const requests = texts.map((text) => this.storeRequest(era, text));
    try {
      const work = (i: number): Promise<unknown> => client.post(requests[i]!);
      return await runLoad({ concurrency, count: requests.length, cpuMs: this.cpuMs, work });
    } finally {
      this.chunks += texts.length;
      client.close();
    }
  }

  /** Through REST; returns the item's id. */
  async storeItem(item: NewItem): Promise<string> {
    return (await this.storeIn(item)).id;
  }

  /** A text of one chunk, in the workspace of the token; returns the chunk's id. */
  async storeChunk(item: NewItem, token: string): Promise<string> {
    const [chunkId, ...more] = (await this.storeIn(item, token)).chunkIds;
    if (chunkId === undefined || more.length > 0) throw new Error(`"${item.title}" is not one chunk`);
    return chunkId;
  }

  private async storeIn(item: NewItem, token?: string): Promise<{ id: string; chunkIds: string[] }> {
    const stored = await this.post<{ id: string; chunkIds: string[] }>('/items', itemBody(item), token);
    this.chunks += stored.chunkIds.length;
    return stored;
  }

  async post<T>(path: string, body: unknown, token = this.token): Promise<T> {
    const isForm = body instanceof FormData;
    const response = await fetch(`${this.host.url}/api/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(isForm ? {} : { 'content-type': 'application/json' }),
      },
      body: isForm ? body : JSON.stringify(body),
    });
    const answer = await response.text();
    if (response.status !== 201) throw new Error(`POST ${path} was refused: ${answer.slice(0, 500)}`);
    return JSON.parse(answer) as T;
  }

  /** Waits until every stored chunk can be found by meaning and no work is left. */
  async untilEmbedded(onProgress: (embedded: number) => void = () => undefined): Promise<void> {
    let [seen, seenMs] = [-1, performance.now()];
    for (;;) {
      const { head, lagOps } = await this.vectors();
      if (head >= this.chunks && lagOps === 0) return;
      if (head - lagOps !== seen) [seen, seenMs] = [head - lagOps, performance.now()];
      if (performance.now() - seenMs > STALLED_MS) {
        throw new Error(`embedding stands still at ${seen} of ${this.chunks}:\n${this.host.output}`);
      }
      onProgress(seen);
      await delay(POLL_MS);
    }
  }

  /** Waits until a projection has applied all of the log. A build that does not have it has nothing to wait for. */
  async untilFollowed(projection: string, onProgress: (lagOps: number) => void = () => undefined): Promise<void> {
    let [seen, seenMs] = [Infinity, performance.now()];
    for (;;) {
      const lagOps = (await this.projection(projection))?.lagOps ?? 0;
      if (lagOps === 0) return;
      if (lagOps !== seen) [seen, seenMs] = [lagOps, performance.now()];
      if (performance.now() - seenMs > STALLED_MS) throw new Error(`${projection} stands still ${lagOps} ops behind`);
      onProgress(lagOps);
      await delay(POLL_MS);
    }
  }

  /** Vectors created so far. */
  async embedded(): Promise<number> {
    return (await this.vectors()).head;
  }

  stop(): Promise<void> {
    return this.host.stop();
  }

  private async vectors(): Promise<ProjectionView> {
    return (await this.projection('vectors'))!;
  }

  private async projection(name: string): Promise<ProjectionView | undefined> {
    const response = await fetch(`${this.host.url}/api/v1/projections`, {
      headers: { authorization: `Bearer ${this.token}` },
    });
    const { items } = (await response.json()) as { items: ProjectionView[] };
    return items.find((projection) => projection.name === name);
  }
}
