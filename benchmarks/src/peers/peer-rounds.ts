import type { Line } from '../benchmark.js';
import { roundText, times } from '../format.js';
import { runLoad, sideBySide, type Round } from '../load.js';
import { McpClient } from '../mcp-client.js';
import { toolCall } from '../mcp-request.js';
import type { Workload } from '../workloads.js';
import type { PeerLibrary } from './peer-library.js';
import type { Peer } from './peer.js';
import type { PeerQueries, Query } from './peer-queries.js';

/** `cached`: the vector of a query is known. `new`: no query was asked before, and its vector comes from the endpoint. */
export type QueryKind = 'cached' | 'new';

type Asker = (index: number) => Promise<unknown>;

export class PeerRounds {
  constructor(
    private readonly workload: Workload<'peers'>,
    private readonly queries: PeerQueries,
  ) {}

  /** Asks every query once: its vector is cached then, and every side is known to answer in full. */
  async warm(library: PeerLibrary): Promise<void> {
    const { limit } = this.workload;
    const client = new McpClient(library.product.mcpUrl, 1);
    try {
      for (const query of this.queries.cached) {
        const { result } = await client.call(this.request(library, 'search_knowledge_base', query.text));
        const { degraded, hits } = result['structuredContent'] as { degraded: boolean; hits: unknown[] };
        const counts = [hits.length];
        for (const peer of library.peers) counts.push((await this.askPeer(library, peer, query)).length);
        if (degraded || counts.some((count) => count < limit))
          throw new Error(`${library.size.name}: "${query.text}" has ${counts.join(', ')} hits, degraded: ${degraded}`);
      }
    } finally {
      client.close();
    }
  }

  /** Hybrid search everywhere, in turns. */
  async hybrid(library: PeerLibrary, kind: QueryKind, concurrency: number): Promise<Record<string, Round>> {
    const client = new McpClient(library.product.mcpUrl, concurrency);
    const sides = { Cairn: this.round(this.cairn(library, client, kind), concurrency, library.product.cpuMs) };
    const peers = library.peers.map((peer) => [peer.name, this.round(this.peer(library, peer, kind), concurrency)]);
    try {
      return await sideBySide(this.workload.rounds, { ...sides, ...(Object.fromEntries(peers) as typeof sides) });
    } finally {
      client.close();
    }
  }

  /** Calls of the product only, in turns: two tools on one library, or one on two. */
  async compare(
    sides: Readonly<Record<string, { readonly library: PeerLibrary; readonly tool: string }>>,
    concurrency = 1,
  ): Promise<Record<string, Round>> {
    const clients: McpClient[] = [];
    const rounds = Object.entries(sides).map(([name, { library, tool }]) => {
      const client = new McpClient(library.product.mcpUrl, concurrency);
      clients.push(client);
      return [
        name,
        this.round(this.cairn(library, client, 'cached', tool), concurrency, library.product.cpuMs),
      ] as const;
    });
    try {
      return await sideBySide(this.workload.rounds, Object.fromEntries(rounds));
    } finally {
      for (const client of clients) client.close();
    }
  }

  private round(work: Asker, concurrency: number, cpuMs?: () => number): () => Promise<Round> {
    const { roundMs, warmUpMs } = this.workload;
    return async () => {
      await runLoad({ concurrency, durationMs: warmUpMs, work });
      return runLoad({ concurrency, durationMs: roundMs, work, ...(cpuMs ? { cpuMs } : {}) });
    };
  }

  private cairn(library: PeerLibrary, client: McpClient, kind: QueryKind, tool = 'search_knowledge_base'): Asker {
    const prepared = this.queries.cached.map(({ text }) => this.request(library, tool, text));
    if (kind === 'cached') return (i) => client.post(prepared[i % prepared.length]!);
    return () => client.post(this.request(library, tool, this.queries.next()));
  }

  private peer(library: PeerLibrary, peer: Peer, kind: QueryKind): Asker {
    const { cached } = this.queries;
    if (kind === 'cached') return (i) => this.askPeer(library, peer, cached[i % cached.length]!);
    return async () => this.askPeer(library, peer, await this.queries.embedNext());
  }

  private askPeer({ size, workspace }: PeerLibrary, peer: Peer, query: Query): Promise<readonly string[]> {
    return peer.hybrid({ ...query, workspace: size.workspaces === 1 ? undefined : workspace }, this.workload.limit);
  }

  private request({ token }: PeerLibrary, tool: string, query: string) {
    const mode = tool === 'search_knowledge_base' ? { mode: 'hybrid' } : {};
    return toolCall('stateless', tool, { query, limit: this.workload.limit, ...mode }, token);
  }
}

const peersText = ({ peers }: PeerLibrary, measured: Readonly<Record<string, Round>>): string =>
  peers.map(({ name, setup }) => `${name} (${setup}) ${roundText(measured[name]!)}`).join('; ');

/** At one caller the time of an answer counts, at several how many are answered. */
export const hybridLine = (
  library: PeerLibrary,
  { aim }: Workload<'peers'>,
  { kind, concurrency }: { readonly kind: QueryKind; readonly concurrency: number },
  measured: Readonly<Record<string, Round>>,
): Line => {
  const [cairn, lance] = [measured['Cairn']!, measured['LanceDB']!];
  const isAlone = concurrency === 1;
  const value = isAlone ? cairn.p95Ms / lance.p95Ms : cairn.rate / lance.rate;
  const { p95TimesLanceMax: p95Max, rateTimesLanceMin: rateMin } = aim;
  const aimed = isAlone
    ? { text: `<= ${p95Max}x`, isMet: value <= p95Max }
    : { text: `>= ${rateMin}x`, isMet: value >= rateMin };
  return {
    id: `${library.profile.id}.hybrid.${library.size.name}.${kind}.c${concurrency}`,
    what: `hybrid, ${library.what}, ${kind} queries, c=${concurrency}`,
    product: roundText(cairn),
    floor: peersText(library, measured),
    ratio: { value, text: `${times(value)} ${isAlone ? 'p95' : 'rate'} of LanceDB` },
    ...(kind === 'cached' ? { aim: aimed } : {}),
    figures: { ...measured, chunks: library.product.chunks },
  };
};

/** How the time of one side relates to that of another. */
export const p95Line = (
  id: string,
  what: string,
  sides: { readonly measured: Round; readonly base: Round; readonly baseName: string },
  timesMax: number,
): Line => {
  const value = sides.measured.p95Ms / sides.base.p95Ms;
  return {
    id,
    what,
    product: roundText(sides.measured),
    floor: `${sides.baseName} ${roundText(sides.base)}`,
    ratio: { value, text: `${value.toFixed(2)}x p95` },
    aim: { text: `<= ${timesMax}x`, isMet: value <= timesMax },
    figures: { ...sides },
  };
};
