import { availableParallelism } from 'node:os';
import { VECTOR_DIMENSIONS } from '@cairn/contracts';
import { appendsOf } from '@cairn/testing';
import type { Line } from '../benchmark.js';
import { ms, times } from '../format.js';
import type { Laboratory } from '../laboratory.js';
import { runLoad, type Round } from '../load.js';
import { McpClient } from '../mcp-client.js';
import { toolCall } from '../mcp-request.js';
import { EmbeddingEndpoint } from '../peers/embedding-endpoint.js';
import { WordVectors } from '../peers/word-vectors.js';
import { median, sum } from '../statistics.js';
import { readWorkload, type Workload } from '../workloads.js';
import { ScaledCluster } from './scaled-cluster.js';
import { measureTakeover, type Takeover } from './takeover.js';

type Load = 'hot' | 'spread';

interface Measured extends Round {
  readonly appends: number;
  readonly conflicts: number;
}

const CORES = availableParallelism();

/** Stores on one workspace and on several, with different numbers of replicas of every service in turns. */
class ReplicasMeasurement {
  private readonly workload: Workload<'replicas'> = readWorkload('replicas');
  private readonly rounds = new Map<string, Measured[]>();
  private tokens: readonly string[] = [];

  constructor(
    private readonly laboratory: Laboratory,
    private readonly cluster: ScaledCluster,
  ) {}

  async lines(): Promise<Line[]> {
    const { replicas, rounds, workspaces, takeovers, probeEveryMs } = this.workload;
    const slugs = Array.from({ length: workspaces }, (_, i) => `replicas-${i}`);
    this.tokens = await Promise.all(slugs.map((slug) => this.cluster.workspace(slug)));
    for (let round = 1; round <= rounds; round++) for (const count of replicas) await this.round(round, count);
    await this.cluster.scaleTo(2);
    const taken: Takeover[] = [];
    for (let i = 0; i < takeovers; i++) {
      taken.push(await measureTakeover(this.cluster, `takeover-${i}`, probeEveryMs));
      this.laboratory.log(`takeover ${i + 1}: ${JSON.stringify(taken.at(-1))}`);
    }
    const loads = replicas.flatMap((count) => [this.loadLine('hot', count), this.loadLine('spread', count)]);
    return [...loads, this.takeoverLine(taken)];
  }

  private async round(round: number, replicas: number): Promise<void> {
    await this.cluster.scaleTo(replicas);
    await this.store(this.tokens, this.workload.warmUpStores);
    for (const [load, tokens] of [
      ['hot', this.tokens.slice(0, 1)],
      ['spread', this.tokens],
    ] as const) {
      const measured = await this.store(tokens, this.workload.storesPerRound);
      const key = `${load}.${replicas}`;
      this.rounds.set(key, [...(this.rounds.get(key) ?? []), measured]);
      const { rate, conflicts, appends } = measured;
      this.laboratory.log(
        `round ${round}, ${replicas} of each, ${load}: ${Math.round(rate)}/s, ${conflicts} of ${appends} appends in conflict`,
      );
    }
  }

  private async store(tokens: readonly string[], count: number): Promise<Measured> {
    const { clients } = this.workload;
    const { gateways, ingests } = this.cluster;
    const connections = gateways.map(({ url }) => new McpClient(`${url}/mcp`, clients));
    const requests = this.laboratory.takeTexts(count).map(({ title, body, tag }, i) => {
      const token = tokens[i % tokens.length]!;
      return toolCall('stateless', 'store_knowledge', { title, body, tags: [tag] }, token);
    });
    const before = await appendsOf(ingests);
    const work = (i: number): Promise<unknown> => connections[i % connections.length]!.post(requests[i]!);
    const round = await runLoad({ concurrency: clients, count, work });
    for (const connection of connections) connection.close();
    const after = await appendsOf(ingests);
    const conflicts = after.conflicts - before.conflicts;
    return { ...round, conflicts, appends: after.ok - before.ok + conflicts };
  }

  private loadLine(load: Load, replicas: number): Line {
    const [rounds, alone] = [this.rounds.get(`${load}.${replicas}`)!, this.rounds.get(`${load}.1`)!];
    const [rate, rateOfOne] = [rounds, alone].map((all) => median(all.map((round) => round.rate)));
    const share = sum(rounds.map(({ conflicts }) => conflicts)) / sum(rounds.map(({ appends }) => appends));
    const value = rate! / rateOfOne!;
    const where = load === 'hot' ? 'one workspace' : `${this.workload.workspaces} workspaces`;
    const aim = replicas === 1 ? undefined : this.aimOf(load, replicas, value, share);
    return {
      id: `cluster.replicas-${replicas}.${load}`,
      what: `store, c=${this.workload.clients}, ${where}, ${replicas} of each service`,
      product: `${Math.round(rate!)}/s, p95 ${ms(median(rounds.map(({ p95Ms }) => p95Ms)))}, ${(100 * share).toFixed(2)} % conflicts`,
      floor: replicas === 1 ? '' : `1 of each: ${Math.round(rateOfOne!)}/s`,
      ...(replicas === 1 ? {} : { ratio: { value, text: times(value) } }),
      ...(aim && { aim }),
      figures: { rounds, cores: CORES },
    };
  }

  /** More processes than cores only share them, so a rate that needs more is asked for only where there are more. */
  private aimOf(load: Load, replicas: number, value: number, share: number): Line['aim'] {
    const { conflictShareMax, hotTimesOneMin, spreadTimesOneMin, spreadCoresMin } = this.workload.aim;
    const hasNoConflicts = share < conflictShareMax;
    const conflicts = `conflicts < ${100 * conflictShareMax} %`;
    const min = load === 'hot' ? hotTimesOneMin : spreadTimesOneMin;
    const isRateAsked = replicas === 2 && (load === 'hot' || CORES >= spreadCoresMin);
    if (!isRateAsked) return { text: `${conflicts} (${CORES} cores)`, isMet: hasNoConflicts };
    return { text: `${conflicts}, >= ${min}x`, isMet: hasNoConflicts && value >= min };
  }

  private takeoverLine(taken: readonly Takeover[]): Line {
    const { takeoverMsMax } = this.workload.aim;
    const worst = Math.max(...taken.map((one) => one.ms));
    const [lost, doubled] = [sum(taken.map((one) => one.lost)), sum(taken.map((one) => one.doubled))];
    return {
      id: 'cluster.takeover',
      what: 'SIGKILL of the ingest that projects, until a store is answered again',
      product: `${taken.map((one) => ms(one.ms)).join(', ')}; ${lost} lost, ${doubled} doubled`,
      floor: '',
      aim: {
        text: `<= ${takeoverMsMax / 1_000} s, nothing lost or doubled`,
        isMet: worst <= takeoverMsMax && lost + doubled === 0,
      },
      figures: { taken },
    };
  }
}

export const measureReplicas = async (laboratory: Laboratory): Promise<Line[]> => {
  const { replicas } = readWorkload('replicas');
  const { workDir, log } = laboratory;
  // Vectors come at once, so that what is measured is the way of a store and not a model.
  const endpoint = await EmbeddingEndpoint.start(new WordVectors(VECTOR_DIMENSIONS, new Set()));
  try {
    const scale = { workDir, replicasMax: Math.max(...replicas), env: endpoint.env, log };
    const cluster = await ScaledCluster.start(scale);
    try {
      return await new ReplicasMeasurement(laboratory, cluster).lines();
    } finally {
      await cluster.stop();
    }
  } finally {
    await endpoint.stop();
  }
};
