import { embedConsumer, OPLOG_STREAM } from '@cairn/contracts';
import { systemClock, type Clock } from '@cairn/kernel';
import type { NatsConnection } from '@cairn/messaging';
import { readRows } from '@cairn/persistence';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Pool } from 'pg';
import type { ModelInUse } from '../items/model-in-use.js';
import type { ProjectionReader } from './projection-reader.js';

/** Counting reads every chunk, so it is not repeated for everyone who looks at the status. */
const COUNT_AGAIN_MS = 60_000;
/** More are not counted. */
export const MISSING_COUNT_MAX = 1_000;

/** Chunks whose text came with an op that is embedded, without a vector and without a record that it was given up. */
const MISSING = `
select count(*)::int as count from (
  select from library.chunks c
    where c.position <= $2
      and not exists (
        select from vectors.embeddings e where e.chunk_id = c.id and e.text_hash = c.text_hash and e.model = $1)
      and not exists (
        select from vectors.failures g where g.chunk_id = c.id and g.text_hash = c.text_hash and g.model = $1)
    limit ${MISSING_COUNT_MAX}) missing`;

export interface MissingVectorsOptions {
  readonly pool: Pool;
  readonly projections: Pick<ProjectionReader, 'list'>;
  readonly modelInUse: Pick<ModelInUse, 'id'>;
  /** The last op of the log that, with all ops before it, has its vectors of a model in VECTORS. */
  readonly embeddedTo: (model: string) => Promise<number>;
  readonly clock?: Clock;
}

interface Counted {
  readonly model: string;
  readonly version: number;
  readonly at: number;
  readonly count: number;
}

/**
 * Finds a table of vectors that does not hold what its checkpoint claims, as after a restore of part of the database:
 * the projection would never add what is missing, and nothing else would show it.
 */
export class MissingVectors {
  private last: Counted | undefined;

  constructor(private readonly options: MissingVectorsOptions) {}

  async count(): Promise<number> {
    const { projections, modelInUse, embeddedTo } = this.options;
    const model = await modelInUse.id();
    if (model === null) return 0;
    // In this order: the vectors of these ops were in the stream before its head is read.
    const position = await embeddedTo(model);
    const vectors = (await projections.list()).find(({ name }) => name === 'vectors');
    return vectors?.lagOps === 0 ? this.counted(model, position, vectors.version) : 0;
  }

  private async counted(model: string, position: number, version: number): Promise<number> {
    const { pool, clock = systemClock } = this.options;
    const at = clock.now();
    const isSame = this.last?.version === version && this.last.model === model;
    if (this.last && isSame && at - this.last.at < COUNT_AGAIN_MS) return this.last.count;
    const [row] = await readRows<{ count: number }>(pool, MISSING, [model, position]);
    this.last = { model, version, at, count: row!.count };
    return this.last.count;
  }
}

/** By the acknowledgements of the embedder, which follow the vectors. */
export const embeddedTo =
  (nats: NatsConnection) =>
  async (model: string): Promise<number> => {
    const { consumers } = await jetstreamManager(nats, { checkAPI: false });
    const info = await consumers.info(OPLOG_STREAM, embedConsumer(model)).catch(() => undefined);
    return info?.ack_floor.stream_seq ?? 0;
  };
