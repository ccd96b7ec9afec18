import type { Observation } from '@cairn/contracts';
import { observationsIn, purgedIn, rollupsIn, type RollupRow } from '@cairn/graph';
import type { StatementSink } from '../projection.js';
import { RowBuffer } from '../row-buffer.js';

/** The origin of rows. Only the batch itself determines its kind and its account. */
export interface RowsOf {
  readonly itemId: string;
  readonly chunkId: string;
  readonly text: string;
}

interface Line {
  readonly item: string;
  readonly chunk: string;
  readonly ordinal: number;
}

interface ObservationLine extends Line {
  readonly id: string;
  readonly at: string;
  readonly category: string | null;
  readonly metrics: string;
}

interface RollupLine extends Line {
  readonly day: string;
  readonly category: string | null;
  readonly metric: string;
  readonly sum: string;
  readonly count: number;
  readonly min: number;
  readonly max: number;
}

interface PurgedLine extends Line {
  readonly hash: string;
}

const LINE = { item: 'uuid', chunk: 'uuid', ordinal: 'int' } as const;
const OF_BATCH = 'x.chunk, x.ordinal, x.item, b.workspace_id, b.account_id, b.source';

/** Joined with its batch, so that the text of any other item adds no row. Repeating it changes nothing. */
const insertOf = (into: string, values: string, kind: 'observations' | 'rollup') => (schema: string, x: string) =>
  `insert into ${schema}.${into} select ${OF_BATCH}, ${values}
    from ${x} join ${schema}.batches b on b.item_id = x.item and b.kind = '${kind}' on conflict do nothing`;

const observationLines = (line: Omit<Line, 'ordinal'>, rows: readonly Observation[]): ObservationLine[] =>
  rows.map(({ id, at, category, metrics }, ordinal) => ({
    ...line,
    ordinal,
    id,
    at,
    category,
    metrics: JSON.stringify(metrics),
  }));

const rollupLines = (line: Omit<Line, 'ordinal'>, rows: readonly RollupRow[]): RollupLine[] =>
  rows.flatMap(({ day, category, metrics }, ordinal) =>
    Object.entries(metrics).map(([metric, totals]) => ({ ...line, ordinal, day, category, metric, ...totals })),
  );

/** The rows from the texts of a batch of ops. */
export class SubstrateRows {
  private readonly batches = new RowBuffer<{
    item: string;
    workspace: string;
    account: string;
    source: string;
    kind: string;
    position: number;
  }>(
    { item: 'uuid', workspace: 'uuid', account: 'uuid', source: 'text', kind: 'text', position: 'bigint' },
    (schema, x) => `insert into ${schema}.batches select * from ${x} on conflict do nothing`,
  );
  private readonly observations = new RowBuffer<ObservationLine>(
    { ...LINE, id: 'text', at: 'timestamptz', category: 'text', metrics: 'jsonb' },
    insertOf('observations', 'x.id, x.at, x.category, x.metrics, b.position', 'observations'),
  );
  private readonly rollups = new RowBuffer<RollupLine>(
    {
      ...LINE,
      day: 'date',
      category: 'text',
      metric: 'text',
      sum: 'numeric',
      count: 'int',
      min: 'numeric',
      max: 'numeric',
    },
    insertOf('rollups', 'x.day, x.category, x.metric, x.sum, x.count, x.min, x.max', 'rollup'),
  );
  private readonly purged = new RowBuffer<PurgedLine>(
    { ...LINE, hash: 'text' },
    insertOf('purged_ids', `decode(x.hash, 'hex')`, 'rollup'),
  );

  addBatch(batch: Parameters<typeof this.batches.add>[0]): void {
    this.batches.add(batch);
  }

  addRows({ itemId: item, chunkId: chunk, text }: RowsOf): void {
    const line = { item, chunk };
    for (const row of observationLines(line, observationsIn(text))) this.observations.add(row);
    for (const row of rollupLines(line, rollupsIn(text))) this.rollups.add(row);
    for (const [ordinal, hash] of purgedIn(text).entries()) this.purged.add({ ...line, ordinal, hash });
  }

  flush(db: StatementSink, schema: string): void {
    for (const buffer of [this.batches, this.observations, this.rollups, this.purged]) buffer.flush(db, schema);
  }
}
