import type { StatementSink } from '../projection.js';
import { RowBuffer } from '../row-buffer.js';

/** The place of a row, its author, and the text for which it is valid. */
interface OfChunk {
  readonly workspace: string;
  readonly item: string;
  readonly chunk: string;
  readonly hash: Buffer;
  readonly origin: string;
  readonly position: number;
  readonly ordinal: number;
}

export interface MentionRow extends OfChunk {
  readonly key: string;
  readonly surface: string;
  readonly type: string;
  readonly typeConfidence: number;
  readonly confidence: number;
  readonly start: number | null;
  readonly stop: number | null;
}

export interface EdgeRow extends OfChunk {
  readonly ref: Buffer;
  readonly id: string;
  readonly subjectKey: string;
  readonly predicate: string;
  readonly objectKey: string;
  readonly confidence: number;
  readonly sourceKind: string;
  readonly negated: boolean;
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

export interface EntityRow {
  readonly workspace: string;
  readonly key: string;
  readonly id: string;
}

export interface MergeRow {
  readonly merge: string;
  readonly workspace: string;
  readonly side: 'alias' | 'canonical';
  readonly chunk: string;
  readonly item: string;
  readonly key: string;
  readonly name: string;
  readonly position: number;
}

/** An item id that occurs in a text. */
export interface TextLinkRow {
  readonly chunk: string;
  readonly item: string;
  readonly workspace: string;
  readonly hash: Buffer;
  readonly id: string;
  readonly to: string;
  readonly position: number;
}

export interface FindingsRows {
  readonly mentions: readonly MentionRow[];
  readonly edges: readonly EdgeRow[];
  readonly entities: readonly EntityRow[];
}

const OF_CHUNK = {
  workspace: 'uuid',
  item: 'uuid',
  chunk: 'uuid',
  hash: 'bytea',
  origin: 'text',
  position: 'bigint',
  ordinal: 'int',
};

const buffers = () => ({
  textLinks: new RowBuffer<TextLinkRow>(
    { chunk: 'uuid', item: 'uuid', workspace: 'uuid', hash: 'bytea', id: 'uuid', to: 'uuid', position: 'bigint' },
    (schema, x) => `insert into ${schema}.text_links (chunk_id, item_id, workspace_id, text_hash, id, to_id, position)
      select * from ${x} on conflict do nothing`,
  ),
  mentions: new RowBuffer<MentionRow>(
    {
      ...OF_CHUNK,
      key: 'text',
      surface: 'text',
      type: 'text',
      typeConfidence: 'double precision',
      confidence: 'double precision',
      start: 'int',
      stop: 'int',
    },
    (schema, x) => `insert into ${schema}.mentions (workspace_id, item_id, chunk_id, text_hash, origin, position,
      ordinal, entity_key, surface, type, type_confidence, confidence, start, stop) select * from ${x} on conflict do nothing`,
  ),
  edges: new RowBuffer<EdgeRow>(
    {
      ...OF_CHUNK,
      ref: 'bytea',
      id: 'uuid',
      subjectKey: 'text',
      predicate: 'text',
      objectKey: 'text',
      confidence: 'double precision',
      sourceKind: 'text',
      negated: 'boolean',
      validFrom: 'text',
      validTo: 'text',
    },
    (schema, x) => `insert into ${schema}.edges (workspace_id, item_id, chunk_id, text_hash, origin, position,
      ordinal, ref_hash, id, subject_key, predicate, object_key, confidence, source_kind, negated, valid_from, valid_to)
      select * from ${x} on conflict do nothing`,
  ),
  entities: new RowBuffer<EntityRow>(
    { workspace: 'uuid', key: 'text', id: 'uuid' },
    (schema, x) => `insert into ${schema}.entities (workspace_id, key, id) select * from ${x} on conflict do nothing`,
  ),
  merges: new RowBuffer<MergeRow>(
    {
      merge: 'uuid',
      workspace: 'uuid',
      side: 'text',
      chunk: 'uuid',
      item: 'uuid',
      key: 'text',
      name: 'text',
      position: 'bigint',
    },
    (schema, x) => `insert into ${schema}.merges (merge_id, workspace_id, side, chunk_id, item_id, key, name, position)
      select * from ${x} on conflict do nothing`,
  ),
});

/** Collects rows of a batch; a statement that changes earlier rows flushes them first. */
export class FindingsWriter {
  private readonly buffers = buffers();
  /** Most names of a batch occur more than once; each is sent once. */
  private readonly named = new Set<string>();

  constructor(
    private readonly db: StatementSink,
    private readonly schema: string,
  ) {}

  add({ mentions, edges, entities }: FindingsRows): void {
    for (const row of mentions) this.buffers.mentions.add(row);
    for (const row of edges) this.buffers.edges.add(row);
    for (const row of entities) {
      if (this.named.has(row.id)) continue;
      this.named.add(row.id);
      this.buffers.entities.add(row);
    }
  }

  addMerge(rows: readonly MergeRow[]): void {
    for (const row of rows) this.buffers.merges.add(row);
  }

  addTextLinks(rows: readonly TextLinkRow[]): void {
    for (const row of rows) this.buffers.textLinks.add(row);
  }

  flush(): void {
    for (const buffer of Object.values(this.buffers)) buffer.flush(this.db, this.schema);
    this.named.clear();
  }

  change(sql: (schema: string) => string, values: readonly unknown[]): void {
    this.flush();
    void this.db.query(sql(this.schema), values);
  }
}
