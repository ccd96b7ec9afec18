import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { NameParts } from './seeded-graph.js';
import type { WordList } from './seeded-texts.js';

const count = z.int().positive();
const Era = z.enum(['stateless', 'initialize']);
export type Era = z.infer<typeof Era>;

const SCHEMAS = {
  words: z.object({
    glue: z.array(z.string()),
    topics: z.record(z.string(), z.array(z.string())),
  }) satisfies z.ZodType<WordList>,
  library: z.object({ seed: z.int(), chunks: count, wordsMin: count, wordsMax: count, concurrency: count }),
  search: z.object({
    eras: z.array(Era),
    concurrency: z.array(count),
    rounds: count,
    roundMs: count,
    warmUpMs: count,
    queries: count,
    limit: count,
    aim: z.object({ p95TimesFloorMax: z.number() }),
  }),
  recall: z.object({
    concurrency: z.array(count),
    rounds: count,
    roundMs: count,
    queries: count,
    topK: count,
    aim: z.object({ p95TimesSemanticMax: z.number() }),
  }),
  store: z.object({
    embedder: z.array(z.enum(['running', 'stopped'])),
    eras: z.array(Era),
    concurrency: z.array(z.object({ clients: count, storesPerRound: count })),
    rounds: count,
    floorRoundMs: count,
    wordsMin: count,
    wordsMax: count,
    rawPublishBytes: count,
    aim: z.object({ clients: count, rateShareMin: z.number() }),
  }),
  embedding: z.object({
    rounds: count,
    chunksPerRound: count,
    workers: count,
    aim: z.object({ rateShareMin: z.number() }),
  }),
  replay: z.object({
    projections: z.array(z.string()),
    rounds: count,
    aim: z.object({ opsPerSecondMin: z.number() }),
  }),
  forget: z.object({
    library: count,
    sources: count,
    concurrency: count,
    rounds: count,
    callsPerRound: count,
    roundMs: count,
    queries: count,
    aim: z.object({ answerTimesStoreMax: z.number(), p95TimesBeforeMax: z.number() }),
  }),
  scope: z.object({
    chunks: count,
    wordsMin: count,
    wordsMax: count,
    /** The share of all chunks that a token sees, one folder each; 1 is the whole library. */
    selectivities: z.array(z.number().positive().max(1)),
    queries: count,
    limit: count,
    rounds: count,
    roundMs: count,
    timed: z.number().positive(),
    aim: z.object({ recallMin: z.number(), p95TimesUnfilteredMax: z.number() }),
  }),
  names: z.object({
    first: z.array(z.string()),
    lastStart: z.array(z.string()),
    lastEnd: z.array(z.string()),
    firm: z.array(z.string()),
    firmTrade: z.array(z.string()),
    firmKind: z.array(z.string()),
    place: z.array(z.string()),
  }) satisfies z.ZodType<NameParts>,
  graph: z.object({
    seed: z.int(),
    items: count,
    linksPerItem: count,
    wordsMin: count,
    wordsMax: count,
    concurrency: count,
    linksPerCommand: count,
    queries: count,
    depth: count,
    rounds: count,
    roundMs: count,
    store: z.object({ clients: count, storesPerRound: count, rounds: count }),
    aim: z.object({
      traverseP95Ms: z.object({ embedded: count, native: count }),
      walkP95Ms: z.object({ embedded: count, native: count }),
      storeShareMin: z.number(),
      memoryBytesMax: count,
      replayOpsPerSecondMin: count,
    }),
  }),
  peers: z.object({
    /** Chunks of a library alone, of each of several in one product, and of a large one. */
    small: count,
    workspaces: count,
    large: count,
    concurrency: z.array(count),
    queries: count,
    limit: count,
    rounds: count,
    roundMs: count,
    warmUpMs: count,
    selectivities: z.array(z.number().positive().max(1)),
    recallQueries: count,
    stores: z.object({ clients: count, perRound: count, rounds: count }),
    /** Texts that wait for their vectors when the rate of vectors is measured. */
    vectors: count,
    starts: count,
    aim: z.object({
      p95TimesLanceMax: z.number(),
      rateTimesLanceMin: z.number(),
      p95GrowthMax: z.number(),
      p95SharedTimesAloneMax: z.number(),
      knowledgeTimesHybridMax: z.number(),
      recallMin: z.number(),
      storeShareMin: z.number(),
      vectorsPerSecondMin: count,
      replayPerSecondMin: count,
      memoryBytesMax: z.object({ small: count, large: count }),
      diskBytesPerChunkMax: count,
      startMsMax: count,
    }),
  }),
  replicas: z.object({
    replicas: z.array(count),
    workspaces: count,
    clients: count,
    storesPerRound: count,
    warmUpStores: count,
    rounds: count,
    takeovers: count,
    probeEveryMs: count,
    aim: z.object({
      conflictShareMax: z.number(),
      hotTimesOneMin: z.number(),
      spreadTimesOneMin: z.number(),
      spreadCoresMin: count,
      takeoverMsMax: count,
    }),
  }),
  start: z.object({ rounds: count }),
  memory: z.object({ aim: z.object({ bytesMax: z.number() }) }),
};

export type WorkloadName = keyof typeof SCHEMAS;
export type Workload<N extends WorkloadName> = z.infer<(typeof SCHEMAS)[N]>;

/** Sizes, concurrency, durations and aims are data in `workloads/`; an invalid file stops the run. */
export const readWorkload = <N extends WorkloadName>(name: N): Workload<N> => {
  const file = new URL(`../workloads/${name}.json`, import.meta.url);
  return SCHEMAS[name].parse(JSON.parse(readFileSync(file, 'utf8'))) as Workload<N>;
};
