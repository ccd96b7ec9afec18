import { join } from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';
import { sum } from '../statistics.js';
import type { Peer, PeerDocument, PeerQuery } from './peer.js';

interface Statement {
  run(...values: readonly unknown[]): unknown;
  all(...values: readonly unknown[]): Readonly<Record<string, unknown>>[];
}

interface Sqlite {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  enableLoadExtension(allow: boolean): void;
  loadExtension(path: string): void;
  close(): void;
}

/** What is used of `@photostructure/sqlite` (the interface of `node:sqlite`) and `sqlite-vec`. */
export interface SqliteModules {
  readonly sqlite: { readonly DatabaseSync: new (path: string, options: { allowExtension: true }) => Sqlite };
  readonly vec: { getLoadablePath(): string };
}

const DIMENSIONS = 384;
/** Candidates of each leg, as many as the product fuses. */
const CANDIDATES = 100;
const RRF_K = 60;

const TABLES = `
  pragma journal_mode = wal;
  pragma synchronous = normal;
  pragma cache_size = -262144;
  create table documents (number integer primary key, id text, workspace integer, title text, body text);
  create virtual table words using fts5(
    title, body, content = 'documents', content_rowid = 'number', tokenize = 'porter unicode61');
  create virtual table vectors using vec0(
    workspace integer partition key, embedding float[${DIMENSIONS}] distance_metric = cosine)`;
const NEAREST = 'select rowid from vectors where embedding match ? and k = ? and workspace = ? order by distance';
const NEAREST_OF_ALL = 'select rowid from vectors where embedding match ? and k = ? order by distance';
const BY_WORDS = `
  select words.rowid from words join documents on documents.number = words.rowid
  where words match ? and documents.workspace = ? order by rank limit ${CANDIDATES}`;
const BY_WORDS_OF_ALL = `select rowid from words where words match ? order by rank limit ${CANDIDATES}`;

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

const fused = (legs: readonly (readonly number[])[], limit: number): number[] => {
  const scores = new Map<number, number[]>();
  for (const leg of legs)
    leg.forEach((id, rank) => scores.set(id, [...(scores.get(id) ?? []), 1 / (RRF_K + rank + 1)]));
  const ranked = [...scores].sort(([, a], [, b]) => sum(b) - sum(a));
  return ranked.slice(0, limit).map(([id]) => id);
};

export class SqlitePeer implements Peer {
  readonly name = 'SQLite';
  readonly setup = 'FTS5 and sqlite-vec, exact scan';
  private readonly statements = new Map<string, Statement>();
  private readonly workspaces = new Map<string, bigint>();
  private count = 0;

  private constructor(
    private readonly db: Sqlite,
    /** FTS5 has no list of stop words, and ranking every text that contains "the" is not a fair task. */
    private readonly filler: ReadonlySet<string>,
  ) {}

  static open({ sqlite, vec }: SqliteModules, folder: string, filler: ReadonlySet<string>): SqlitePeer {
    const db = new sqlite.DatabaseSync(join(folder, 'peer.sqlite'), { allowExtension: true });
    db.enableLoadExtension(true);
    db.loadExtension(vec.getLoadablePath());
    db.exec(TABLES);
    return new SqlitePeer(db, filler);
  }

  add(documents: readonly PeerDocument[]): Promise<void> {
    const text = this.db.prepare('insert into documents values (?, ?, ?, ?, ?)');
    const words = this.db.prepare('insert into words (rowid, title, body) values (?, ?, ?)');
    const vectors = this.db.prepare('insert into vectors (rowid, workspace, embedding) values (?, ?, ?)');
    this.db.exec('begin');
    for (const { id, workspace, title, body, vector } of documents) {
      const [number, of] = [BigInt(++this.count), this.numberOf(workspace)];
      text.run(number, id, of, title, body);
      words.run(number, title, body);
      vectors.run(number, of, bytesOf(vector));
    }
    this.db.exec('commit');
    return Promise.resolve();
  }

  ready(): Promise<void> {
    this.db.exec("insert into words (words) values ('optimize'); analyze; pragma wal_checkpoint(truncate)");
    return Promise.resolve();
  }

  async hybrid({ text, vector, workspace }: PeerQuery, limit: number): Promise<string[]> {
    // Its calls are synchronous: without a pause, no other event of this process would be handled for a whole round.
    await immediate();
    const filter = workspace === undefined ? [] : [this.numberOf(workspace)];
    const [nearestSql, wordsSql] = workspace === undefined ? [NEAREST_OF_ALL, BY_WORDS_OF_ALL] : [NEAREST, BY_WORDS];
    const nearest = this.prepared(nearestSql).all(bytesOf(vector), BigInt(CANDIDATES), ...filter);
    const match = this.wordsOf(text);
    const byWords = match === '' ? [] : this.prepared(wordsSql).all(match, ...filter);
    const legs = [nearest, byWords].map((rows) => rows.map(({ rowid }) => Number(rowid)));
    const best = this.prepared('select id, title, body from documents where number = ?');
    return fused(legs, limit).map((number) => best.all(BigInt(number))[0]!['id'] as string);
  }

  close(): Promise<void> {
    this.db.close();
    return Promise.resolve();
  }

  private prepared(sql: string): Statement {
    const known = this.statements.get(sql) ?? this.db.prepare(sql);
    this.statements.set(sql, known);
    return known;
  }

  private numberOf(workspace: string): bigint {
    const known = this.workspaces.get(workspace) ?? BigInt(this.workspaces.size + 1);
    this.workspaces.set(workspace, known);
    return known;
  }

  /** Any of the words, as BM25 has it elsewhere. */
  private wordsOf(text: string): string {
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    return words
      .filter((word) => !this.filler.has(word))
      .map((word) => `"${word}"`)
      .join(' OR ');
  }
}
