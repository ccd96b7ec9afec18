import { join } from 'node:path';
import type { Peer, PeerDocument, PeerQuery } from './peer.js';

type Row = Readonly<Record<string, unknown>>;

/** What is used of `@lancedb/lancedb`. */
interface Lance {
  connect(uri: string): Promise<LanceConnection>;
  readonly Index: {
    fts(options: Row): unknown;
    bitmap(): unknown;
    ivfPq(options: Row): unknown;
  };
  readonly rerankers: { readonly RRFReranker: { create(k?: number): Promise<unknown> } };
}

interface LanceConnection {
  createTable(name: string, rows: readonly Row[]): Promise<LanceTable>;
  close(): void;
}

interface LanceTable {
  add(rows: readonly Row[]): Promise<unknown>;
  createIndex(column: string, options: { readonly config: unknown }): Promise<void>;
  optimize(): Promise<unknown>;
  query(): LanceQuery;
}

interface LanceQuery {
  nearestTo(vector: Float32Array): LanceQuery & { distanceType(type: 'cosine'): LanceQuery };
  fullTextSearch(query: string, options: { readonly columns: readonly string[] }): LanceQuery;
  where(predicate: string): LanceQuery;
  rerank(reranker: unknown): LanceQuery;
  select(columns: readonly string[]): LanceQuery;
  limit(count: number): LanceQuery;
  toArray(): Promise<{ readonly id: string }[]>;
}

/** Its manual recommends an exact scan up to about this many rows. */
const VECTOR_INDEX_FROM = 100_001;

const rowOf = ({ id, workspace, title, body, vector }: PeerDocument): Row => ({
  id,
  workspace,
  title,
  body,
  // A column for its own full-text index, which covers one column.
  words: `${title}\n${body}`,
  vector: [...vector],
});

export class LanceDbPeer implements Peer {
  readonly name = 'LanceDB';
  private table: LanceTable | undefined;
  private rows = 0;

  private constructor(
    private readonly lance: Lance,
    private readonly connection: LanceConnection,
    private readonly reranker: unknown,
  ) {}

  static async open(load: () => unknown, folder: string): Promise<LanceDbPeer> {
    // Read when it is loaded. Otherwise it prints two warnings per query, which take time.
    process.env['LANCEDB_LOG'] ??= 'error';
    const lance = load() as Lance;
    const connection = await lance.connect(join(folder, 'lancedb'));
    return new LanceDbPeer(lance, connection, await lance.rerankers.RRFReranker.create());
  }

  get setup(): string {
    return this.rows < VECTOR_INDEX_FROM ? 'no vector index' : 'IVF_PQ';
  }

  async add(documents: readonly PeerDocument[]): Promise<void> {
    const rows = documents.map(rowOf);
    if (this.table) await this.table.add(rows);
    else this.table = await this.connection.createTable('chunks', rows);
    this.rows += rows.length;
  }

  async ready(): Promise<void> {
    const { Index } = this.lance;
    const english = { language: 'English', stem: true, removeStopWords: true, withPosition: false };
    await this.table!.createIndex('words', { config: Index.fts(english) });
    await this.table!.createIndex('workspace', { config: Index.bitmap() });
    if (this.rows >= VECTOR_INDEX_FROM)
      await this.table!.createIndex('vector', { config: Index.ivfPq({ distanceType: 'cosine' }) });
    await this.table!.optimize();
  }

  async hybrid({ text, vector, workspace }: PeerQuery, limit: number): Promise<string[]> {
    const query = this.table!.query()
      .nearestTo(vector)
      .distanceType('cosine')
      .fullTextSearch(text, { columns: ['words'] })
      .rerank(this.reranker)
      .select(['id', 'title', 'body'])
      .limit(limit);
    const rows = await (workspace === undefined ? query : query.where(`workspace = '${workspace}'`)).toArray();
    return rows.map(({ id }) => id);
  }

  close(): Promise<void> {
    this.connection.close();
    return Promise.resolve();
  }
}
