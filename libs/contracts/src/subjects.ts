/** Names on the wire. No personal data ever stands in a subject. */
export const OPLOG_STREAM = 'OPLOG';
export const VECTORS_STREAM = 'VECTORS';
export const KEYS_BUCKET = 'KEYS';

export type Noun = 'workspace' | 'folder' | 'token' | 'item';

export const oplogSubject = (workspaceId: string, noun: Noun): string => `oplog.${workspaceId}.${noun}`;
export const oplogWorkspaceFilter = (workspaceId: string): string => `oplog.${workspaceId}.>`;
export const OPLOG_SUBJECTS = 'oplog.>';
export const OPLOG_ITEMS_FILTER = 'oplog.*.item';

export const vectorSubject = (workspaceId: string): string => `vectors.${workspaceId}`;
export const VECTORS_SUBJECTS = 'vectors.>';

export const commandSubject = (type: string): string => `cmd.${type}.v1`;
export const querySubject = (type: string): string => `qry.${type}.v1`;

/** Queue groups: replicas of a service share its requests. */
export const INGEST_QUEUE = 'ingest';
export const SEARCH_QUEUE = 'search';
export const EMBEDDER_QUEUE = 'embedder';

/** One durable consumer per model: a new model embeds everything anew, beside the vectors of the old one. */
export const embedConsumer = (model: string): string => `embed-${model.replace(/[^A-Za-z0-9_-]/g, '_')}`;
