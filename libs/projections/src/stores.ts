import { OPLOG_STREAM, VECTORS_STREAM } from '@cairn/contracts';
import type { FindingsExtractor } from '@cairn/extraction';
import type { EntryReader, OpLog, VectorLog } from '@cairn/op-log';
import type { OpenSearchClient } from '@cairn/persistence';
import type { Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import type { Bm25 } from './lexical/lexical.schema.js';
import type { StreamName, Streams } from './projection.js';

/** All stores that projections are made from or written to, and that may hold content of an item. */
export interface Stores {
  readonly pool: Pool;
  readonly vault: Vault;
  readonly log: OpLog;
  readonly vectors: VectorLog;
  /** If present, it holds the keyword index instead of Postgres. */
  readonly openSearch?: OpenSearchClient | undefined;
  /** Reads names and relations in texts; defaults to the rules, in the calling thread. */
  readonly extractor?: FindingsExtractor | undefined;
  /** For a new keyword index; an existing one in OpenSearch keeps its own. */
  readonly bm25?: Bm25 | undefined;
}

export interface EntryLog<T> {
  head(): Promise<number>;
  read(fromPosition: number): EntryReader<T>;
}

/** The stream that a projection reads. */
export const logOf = <S extends StreamName>({ log, vectors }: Pick<Stores, 'log' | 'vectors'>, stream: S) => {
  const logs: { readonly [K in StreamName]: EntryLog<Streams[K]> } = { [OPLOG_STREAM]: log, [VECTORS_STREAM]: vectors };
  return logs[stream];
};
