/** Names on the wire. A subject never contains personal data. */
export const OPLOG_STREAM = 'OPLOG';
export const VECTORS_STREAM = 'VECTORS';
export const RATES_STREAM = 'RATES';
/** One-time codes for signing in to the console. */
export const SIGN_INS_STREAM = 'SIGN_INS';
/** The forget ledger: ids of forgotten things. It is never restored from a backup. */
export const FORGOTTEN_STREAM = 'FORGOTTEN';
export const KEYS_BUCKET = 'KEYS';
/** Proposed texts until they are applied or expire. */
export const CORRECTIONS_BUCKET = 'CORRECTIONS';
/** Which vectors searches use, and which are being made beside them. */
export const VECTOR_MODELS_BUCKET = 'VECTOR_MODELS';
/** Which ingest does the work that only one replica has to do. */
export const LEASES_BUCKET = 'LEASES';

export type Noun =
  | 'workspace'
  | 'folder'
  | 'token'
  | 'item'
  | 'quota'
  | 'confirmation'
  | 'chunk'
  | 'receipt'
  | 'server'
  | 'link'
  | 'connector'
  | 'edge'
  | 'entity';

export const oplogSubject = (workspaceId: string, noun: Noun): string => `oplog.${workspaceId}.${noun}`;
export const oplogWorkspaceFilter = (workspaceId: string): string => `oplog.${workspaceId}.>`;
export const workspaceOfOplogSubject = (subject: string): string => subject.split('.')[1] ?? '';
export const OPLOG_SUBJECTS = 'oplog.>';
/** Fills the position of an erased op while a lost log is written again; no reader follows this subject. */
export const OPLOG_PLACEHOLDER_SUBJECT = 'oplog.repair.placeholder';
/** Subjects of the ops whose texts are embedded. */
export const OPLOG_TEXT_FILTERS: readonly string[] = ['oplog.*.item', 'oplog.*.chunk'];

/** Grouped by item, so that the vectors of a forgotten item can be found. */
export const vectorSubject = (workspaceId: string, itemId: string): string => `vectors.${workspaceId}.${itemId}`;
export const VECTORS_SUBJECTS = 'vectors.>';
export const VECTORS_PLACEHOLDER_SUBJECT = 'vectors.repair.placeholder';

/** One subject per forgetting; its newest message counts. */
export const forgottenSubject = (workspaceId: string, receiptId: string): string =>
  `forgotten.${workspaceId}.${receiptId}`;
export const FORGOTTEN_SUBJECTS = 'forgotten.>';

/** One counter per token, bucket and hour since the epoch. */
export const rateSubject = (tokenId: string, bucket: string, hour: number): string => `rl.${tokenId}.${bucket}.${hour}`;
export const RATES_SUBJECTS = 'rl.>';

/**
 * Counters that last longer than an hour: tokens that a workspace has fetched in a UTC day, and uses of a confirmation.
 */
export const BUDGETS_STREAM = 'BUDGETS';
export const BUDGETS_SUBJECTS = 'budget.>';
export const meshTokensSubject = (workspaceId: string, day: string): string => `budget.mesh.${workspaceId}.${day}`;
export const confirmationUseSubject = (workspaceId: string, nonce: string): string =>
  `budget.confirmed.${workspaceId}.${nonce}`;

/** Contains a hash of the code, so that the subject does not reveal it. */
export const signInSubject = (codeHash: string): string => `signin.${codeHash}`;
export const SIGN_INS_SUBJECTS = 'signin.>';

export const COMMAND_SUBJECTS = 'cmd.>';
export const QUERY_SUBJECTS = 'qry.>';
export const commandSubject = (type: string): string => `cmd.${type}.v1`;
export const isCommandSubject = (subject: string): boolean => subject.startsWith('cmd.');
/** The subject on which one replica takes what all replicas take on the shared one. Its id is random and new with every start. */
export const ownSubject = (shared: string, replicaId: string): string => `${shared}.${replicaId}`;
/** The shared subject of a request that was sent to one replica; any other subject stays as it is. */
export const sharedSubject = (subject: string): string => subject.replace(/(\.v\d+)\.[^.]+$/, '$1');
export const querySubject = (type: string): string => `qry.${type}.v1`;

/** Carries a token's id to every gateway once its revocation is in the library. */
export const TOKEN_REVOKED_SUBJECT = 'ntf.token.revoked';

/** Carries a workspace's changes to every gateway once the library has them: ids and a position, never content. */
export const noticeSubject = (workspaceId: string): string => `ntf.workspace.${workspaceId}`;

/** Asks every search to overwrite the vectors of forgotten chunks in its memory; each answers when that is done. */
export const FORGOTTEN_CHUNKS_SUBJECT = 'ntf.chunks.forgotten';

/** An operator asks for forgotten content to be purged from the disk at once. */
export const PURGE_WANTED_SUBJECT = 'ntf.purge.wanted';

/** Tells every gateway once a second that an ingest lives, under which id it takes commands, and when it stops. */
export const INGEST_ALIVE_SUBJECT = 'ntf.ingest.alive';

/** Asks every process that reads the read models whether it could not read other ones; only an objection is answered. */
export const REPLACING_SUBJECT = 'ntf.read-models.replacing';

/** What ingests send each other. A message that is lost only delays what it tells. */
export const INGEST_SUBJECTS = 'ing.>';
/** Carries how far a projection is, from the ingest that applies ops to those that wait for them. */
export const APPLIED_SUBJECT = 'ing.applied';
/** Carries the name of a lease that its holder has given up. */
export const LEASE_FREED_SUBJECT = 'ing.lease.freed';

/**
 * What gateways send each other. No other service may publish or subscribe here: a message posted to a stream carries
 * the principal of its sender.
 */
export const GATEWAY_SUBJECTS = 'gw.>';
/** Takes the messages for the SSE streams of one gateway process. Its id is random and new with every start. */
export const sseMessagesSubject = (replicaId: string): string => `gw.sse.${replicaId}`;
/** Carries the name of a session that its client has ended; every gateway answers. The name is not enough to use it. */
export const SESSION_ENDED_SUBJECT = 'gw.session.ended';
/** Carries a token's id and the position of its latest write, before that write is answered. */
export const TOKEN_WROTE_SUBJECT = 'gw.token.wrote';

/** Replies to a user of the broker: its own prefix, so that its permissions exclude the replies to others. */
export const inboxOf = (user: string): string => `_INBOX.${user}`;

/** Queue groups: replicas of a service share its requests. */
export const INGEST_QUEUE = 'ingest';
export const SEARCH_QUEUE = 'search';
export const EMBEDDER_QUEUE = 'embedder';

/** One durable consumer per model: a new model embeds everything again, next to the vectors of the old one. */
export const embedConsumer = (model: string): string => `embed-${model.replace(/[^A-Za-z0-9_-]/g, '_')}`;

/** Reads ahead in the headers of the embedder's backlog, while there is one. */
export const lookAheadConsumer = (model: string): string => `${embedConsumer(model)}-ahead`;
