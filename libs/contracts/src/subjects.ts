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
/** Subjects of the ops whose texts are embedded. */
export const OPLOG_TEXT_FILTERS: readonly string[] = ['oplog.*.item', 'oplog.*.chunk'];

/** Grouped by item, so that the vectors of a forgotten item can be found. */
export const vectorSubject = (workspaceId: string, itemId: string): string => `vectors.${workspaceId}.${itemId}`;
export const VECTORS_SUBJECTS = 'vectors.>';

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

export const commandSubject = (type: string): string => `cmd.${type}.v1`;
export const querySubject = (type: string): string => `qry.${type}.v1`;

/** Carries a token's id to every gateway once its revocation is in the library. */
export const TOKEN_REVOKED_SUBJECT = 'ntf.token.revoked';

/** Carries a workspace's changes to every gateway once the library has them: ids and a position, never content. */
export const noticeSubject = (workspaceId: string): string => `ntf.workspace.${workspaceId}`;

/** Asks every search to overwrite the vectors of forgotten chunks in its memory; each answers when that is done. */
export const FORGOTTEN_CHUNKS_SUBJECT = 'ntf.chunks.forgotten';

/** An operator asks for forgotten content to be purged from the disk at once. */
export const PURGE_WANTED_SUBJECT = 'ntf.purge.wanted';

/** Queue groups: replicas of a service share its requests. */
export const INGEST_QUEUE = 'ingest';
export const SEARCH_QUEUE = 'search';
export const EMBEDDER_QUEUE = 'embedder';

/** One durable consumer per model: a new model embeds everything again, next to the vectors of the old one. */
export const embedConsumer = (model: string): string => `embed-${model.replace(/[^A-Za-z0-9_-]/g, '_')}`;

/** Reads ahead in the headers of the embedder's backlog, while there is one. */
export const lookAheadConsumer = (model: string): string => `${embedConsumer(model)}-ahead`;
