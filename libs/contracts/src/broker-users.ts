import { EMBEDDER_QUERIES, INGEST_QUERIES } from './queries.js';
import {
  BUDGETS_STREAM,
  BUDGETS_SUBJECTS,
  COMMAND_SUBJECTS,
  CORRECTIONS_BUCKET,
  FORGOTTEN_CHUNKS_SUBJECT,
  FORGOTTEN_STREAM,
  FORGOTTEN_SUBJECTS,
  GATEWAY_SUBJECTS,
  INGEST_ALIVE_SUBJECT,
  INGEST_SUBJECTS,
  KEYS_BUCKET,
  LEASES_BUCKET,
  noticeSubject,
  OPLOG_STREAM,
  OPLOG_SUBJECTS,
  PURGE_WANTED_SUBJECT,
  QUERY_SUBJECTS,
  querySubject,
  RATES_STREAM,
  RATES_SUBJECTS,
  REPLACING_SUBJECT,
  SIGN_INS_STREAM,
  SIGN_INS_SUBJECTS,
  TOKEN_REVOKED_SUBJECT,
  VECTOR_MODELS_BUCKET,
  VECTORS_STREAM,
  VECTORS_SUBJECTS,
} from './subjects.js';

/** The users of a broker that Cairn shares with no one: one per service, and one for the operator's command line. */
export const BROKER_USERS = ['gateway', 'ingest', 'search', 'embedder', 'cli'] as const;
export type BrokerUser = (typeof BROKER_USERS)[number];

/** Subjects on which some users send and others receive. */
export interface Channel {
  readonly subjects: readonly string[];
  /** Subjects among them that belong to another channel. */
  readonly except?: readonly string[];
  readonly from: readonly BrokerUser[];
  readonly to: readonly BrokerUser[];
  /** True if a receiver sends an answer. */
  readonly isAnswered?: boolean;
}

const embedderQueries = EMBEDDER_QUERIES.map(({ type }) => querySubject(type));
const ingestQueries = INGEST_QUERIES.map(({ type }) => querySubject(type));

export const CHANNELS: readonly Channel[] = [
  { subjects: [COMMAND_SUBJECTS], from: ['gateway', 'cli'], to: ['ingest'], isAnswered: true },
  // By exclusion, so that a further query of search needs no change at the broker.
  {
    subjects: [QUERY_SUBJECTS],
    except: [...embedderQueries, ...ingestQueries],
    from: ['gateway', 'cli'],
    to: ['search'],
    isAnswered: true,
  },
  { subjects: embedderQueries, from: ['gateway', 'cli', 'search'], to: ['embedder'], isAnswered: true },
  { subjects: ingestQueries, from: ['gateway', 'cli', 'search'], to: ['ingest'], isAnswered: true },
  { subjects: [TOKEN_REVOKED_SUBJECT, noticeSubject('*'), INGEST_ALIVE_SUBJECT], from: ['ingest'], to: ['gateway'] },
  { subjects: [FORGOTTEN_CHUNKS_SUBJECT], from: ['ingest'], to: ['search'], isAnswered: true },
  { subjects: [REPLACING_SUBJECT], from: ['ingest'], to: ['ingest', 'search'], isAnswered: true },
  { subjects: [PURGE_WANTED_SUBJECT], from: ['cli'], to: ['ingest'] },
  { subjects: [INGEST_SUBJECTS], from: ['ingest'], to: ['ingest'] },
  { subjects: [GATEWAY_SUBJECTS], from: ['gateway'], to: ['gateway'], isAnswered: true },
];

/**
 * Who may do what with a stream. Ingest creates all of them and raises their replicas. No user may purge one, or delete
 * one that is a record.
 */
export interface StreamAccess {
  readonly stream: string;
  readonly subjects: string;
  readonly writers: readonly BrokerUser[];
  /** Read single messages, and how far the stream is. */
  readonly readers: readonly BrokerUser[];
  /** Follow it through consumers. */
  readonly followers: readonly BrokerUser[];
  /** Delete messages with their bytes. */
  readonly erasers: readonly BrokerUser[];
  /** True if ingest may replace it by an empty one: it is derived, or short-lived. */
  readonly isReplaceable?: boolean;
}

const bucket = (
  name: string,
  access: Omit<StreamAccess, 'stream' | 'subjects' | 'followers' | 'erasers'> & Partial<StreamAccess>,
): StreamAccess => ({ stream: `KV_${name}`, subjects: `$KV.${name}.>`, followers: [], erasers: [], ...access });

const counter = (stream: string, subjects: string): StreamAccess => ({
  stream,
  subjects,
  writers: ['gateway'],
  readers: [],
  followers: [],
  erasers: [],
  isReplaceable: true,
});

/** The gateway faces the network: it has the counters and the sign-in codes, and neither the log nor the keys. */
export const STREAM_ACCESS: readonly StreamAccess[] = [
  {
    stream: OPLOG_STREAM,
    subjects: OPLOG_SUBJECTS,
    writers: ['ingest'],
    readers: ['ingest', 'search', 'embedder', 'cli'],
    followers: ['ingest', 'embedder', 'cli'],
    erasers: ['ingest'],
  },
  {
    stream: VECTORS_STREAM,
    subjects: VECTORS_SUBJECTS,
    // The embedder makes vectors; a repair, which has the user of ingest, puts lost ones back (ADR 0133).
    writers: ['embedder', 'ingest'],
    readers: ['ingest', 'search', 'embedder', 'cli'],
    followers: ['ingest', 'cli'],
    erasers: ['ingest'],
    isReplaceable: true,
  },
  {
    stream: FORGOTTEN_STREAM,
    subjects: FORGOTTEN_SUBJECTS,
    writers: ['ingest'],
    readers: ['ingest', 'search'],
    followers: ['ingest'],
    erasers: [],
  },
  counter(RATES_STREAM, RATES_SUBJECTS),
  counter(BUDGETS_STREAM, BUDGETS_SUBJECTS),
  {
    stream: SIGN_INS_STREAM,
    subjects: SIGN_INS_SUBJECTS,
    writers: ['gateway'],
    readers: ['gateway'],
    followers: [],
    erasers: [],
    isReplaceable: true,
  },
  bucket(KEYS_BUCKET, {
    writers: ['ingest'],
    readers: ['ingest', 'search', 'embedder', 'cli'],
    followers: ['ingest'],
    erasers: ['ingest'],
  }),
  bucket(CORRECTIONS_BUCKET, { writers: ['ingest'], readers: ['ingest'] }),
  bucket(LEASES_BUCKET, { writers: ['ingest'], readers: ['ingest'] }),
  bucket(VECTOR_MODELS_BUCKET, { writers: ['ingest', 'embedder', 'cli'], readers: ['ingest', 'embedder', 'cli'] }),
];
