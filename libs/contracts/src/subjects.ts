/** Names on the wire. No personal data ever stands in a subject. */
export const OPLOG_STREAM = 'OPLOG';
export const VECTORS_STREAM = 'VECTORS';
export const RATES_STREAM = 'RATES';
/** One-time codes for signing in to the console. */
export const SIGN_INS_STREAM = 'SIGN_INS';
/** The forget ledger: ids of what was forgotten. It is never put back from a copy. */
export const FORGOTTEN_STREAM = 'FORGOTTEN';
export const KEYS_BUCKET = 'KEYS';
/** Proposed texts until they are applied or too old. */
export const CORRECTIONS_BUCKET = 'CORRECTIONS';

export type Noun =
  'workspace' | 'folder' | 'token' | 'item' | 'quota' | 'confirmation' | 'chunk' | 'receipt' | 'server';

export const oplogSubject = (workspaceId: string, noun: Noun): string => `oplog.${workspaceId}.${noun}`;
export const oplogWorkspaceFilter = (workspaceId: string): string => `oplog.${workspaceId}.>`;
export const workspaceOfOplogSubject = (subject: string): string => subject.split('.')[1] ?? '';
export const OPLOG_SUBJECTS = 'oplog.>';
/** Where texts stand that are to be embedded. */
export const OPLOG_TEXT_FILTERS: readonly string[] = ['oplog.*.item', 'oplog.*.chunk'];

/** By item, so that what is left of a forgotten one can be found. */
export const vectorSubject = (workspaceId: string, itemId: string): string => `vectors.${workspaceId}.${itemId}`;
export const VECTORS_SUBJECTS = 'vectors.>';

/** One message per forgetting, of which the newest counts. */
export const forgottenSubject = (workspaceId: string, receiptId: string): string =>
  `forgotten.${workspaceId}.${receiptId}`;
export const FORGOTTEN_SUBJECTS = 'forgotten.>';

/** One counter per token, bucket and hour since the epoch. */
export const rateSubject = (tokenId: string, bucket: string, hour: number): string => `rl.${tokenId}.${bucket}.${hour}`;
export const RATES_SUBJECTS = 'rl.>';

/** By a hash of the code, so that the subject does not give it away. */
export const signInSubject = (codeHash: string): string => `signin.${codeHash}`;
export const SIGN_INS_SUBJECTS = 'signin.>';

export const commandSubject = (type: string): string => `cmd.${type}.v1`;
export const querySubject = (type: string): string => `qry.${type}.v1`;

/** A token's id, sent to every gateway once its revocation is in the library. */
export const TOKEN_REVOKED_SUBJECT = 'ntf.token.revoked';

/** What has changed in a workspace, sent to every gateway once the library has it: ids and a position, never content. */
export const noticeSubject = (workspaceId: string): string => `ntf.workspace.${workspaceId}`;

/** An operator does not want to wait until what was forgotten is purged from the disk. */
export const PURGE_WANTED_SUBJECT = 'ntf.purge.wanted';

/** Queue groups: replicas of a service share its requests. */
export const INGEST_QUEUE = 'ingest';
export const SEARCH_QUEUE = 'search';
export const EMBEDDER_QUEUE = 'embedder';

/** One durable consumer per model: a new model embeds everything again, beside the vectors of the old one. */
export const embedConsumer = (model: string): string => `embed-${model.replace(/[^A-Za-z0-9_-]/g, '_')}`;

/** Reads the headers of the embedder's backlog, while there is one. */
export const lookAheadConsumer = (model: string): string => `${embedConsumer(model)}-ahead`;
