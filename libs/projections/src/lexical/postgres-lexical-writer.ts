import type { StatementSink } from '../projection.js';
import type { LexicalChange, LexicalDocument } from './lexical-change.js';
import { lexicalText } from './lexical-text.js';

type Put = Extract<LexicalChange, { kind: 'put' }>;
type OfItem = Extract<LexicalChange, { kind: 'supersede' | 'revive' }>;
type Move = Extract<LexicalChange, { kind: 'move' }>;
type Forget = Extract<LexicalChange, { kind: 'forget' }>;
type Tier = Extract<LexicalChange, { kind: 'tier' }>;
type Remove = Extract<LexicalChange, { kind: 'remove' }>;

/** Consecutive changes of one kind become one statement; the order between the kinds is the order of the log. */
const runsOf = (changes: readonly LexicalChange[]): LexicalChange[][] => {
  const runs: LexicalChange[][] = [];
  for (const change of changes) {
    const last = runs.at(-1);
    if (last?.[0]?.kind === change.kind) last.push(change);
    else runs.push([change]);
  }
  return runs;
};

/** A statement may change a row only once, so of several versions of a chunk the last one counts. */
const newestOf = (puts: readonly Put[]): LexicalDocument[] => [
  ...new Map(puts.map(({ document }) => [document.chunkId, document])).values(),
];

const isSensitive = (schema: string, folder: string): string =>
  `exists (select from ${schema}.sensitive_folders s where s.folder_id = ${folder})`;

const put = (db: StatementSink, schema: string, documents: readonly LexicalDocument[]): void => {
  void db.query(
    `insert into ${schema}.documents (chunk_id, workspace_id, folder_id, item_id, superseded, expires_at, body, sensitive)
     select x.*, ${isSensitive(schema, 'x.folder')}
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::boolean[], $6::timestamptz[], $7::text[])
       as x(chunk, workspace, folder, item, superseded, expires, body)
     on conflict (chunk_id) do update set
       workspace_id = excluded.workspace_id, folder_id = excluded.folder_id, item_id = excluded.item_id,
       superseded = excluded.superseded, expires_at = excluded.expires_at, body = excluded.body,
       sensitive = excluded.sensitive`,
    [
      documents.map((document) => document.chunkId),
      documents.map((document) => document.workspaceId),
      documents.map((document) => document.folderId),
      documents.map((document) => document.itemId),
      documents.map((document) => document.superseded),
      documents.map((document) => document.expiresAt),
      documents.map((document) => lexicalText(document.body)),
    ],
  );
};

const setSuperseded =
  (superseded: boolean) =>
  (db: StatementSink, schema: string, changes: readonly LexicalChange[]): void => {
    const itemIds = (changes as readonly OfItem[]).map(({ itemId }) => itemId);
    const values = [itemIds, superseded];
    void db.query(`update ${schema}.documents set superseded = $2 where item_id = any ($1::uuid[])`, values);
  };

/** One by one, since a statement may change a row only once, and an item may move twice. */
const move = (db: StatementSink, schema: string, changes: readonly Move[]): void => {
  for (const { itemId, to } of changes)
    void db.query(
      `update ${schema}.documents set folder_id = $2, sensitive = ${isSensitive(schema, '$2')} where item_id = $1`,
      [itemId, to.folderId],
    );
};

/** The documents of a folder enter or leave the index in place: their words stay in the table. */
const setTier = (db: StatementSink, schema: string, changes: readonly Tier[]): void => {
  for (const { folderId, sensitive } of changes) {
    const folder = sensitive
      ? `insert into ${schema}.sensitive_folders values ($1) on conflict do nothing`
      : `delete from ${schema}.sensitive_folders where folder_id = $1`;
    void db.query(folder, [folderId]);
    const documents = `update ${schema}.documents set sensitive = $2 where folder_id = $1 and sensitive <> $2`;
    void db.query(documents, [folderId, sensitive]);
  }
};

const remove = (db: StatementSink, schema: string, changes: readonly Remove[]): void => {
  const itemIds = changes.map(({ itemId }) => itemId);
  void db.query(`delete from ${schema}.documents where item_id = any ($1::uuid[])`, [itemIds]);
};

const forget = (db: StatementSink, schema: string, changes: readonly Forget[]): void => {
  const chunkIds = changes.flatMap((change) => change.chunkIds);
  void db.query(`delete from ${schema}.documents where chunk_id = any ($1::uuid[])`, [chunkIds]);
};

const WRITERS = {
  put: (db: StatementSink, schema: string, run: readonly LexicalChange[]) => put(db, schema, newestOf(run as Put[])),
  supersede: setSuperseded(true),
  revive: setSuperseded(false),
  move: (db: StatementSink, schema: string, run: readonly LexicalChange[]) => move(db, schema, run as Move[]),
  tier: (db: StatementSink, schema: string, run: readonly LexicalChange[]) => setTier(db, schema, run as Tier[]),
  forget: (db: StatementSink, schema: string, run: readonly LexicalChange[]) => forget(db, schema, run as Forget[]),
  remove: (db: StatementSink, schema: string, run: readonly LexicalChange[]) => remove(db, schema, run as Remove[]),
};

/** Issues the statements in the projector's transaction, whose checkpoint prevents an older batch after a newer one. */
export const writePostgresLexical = (db: StatementSink, schema: string, changes: readonly LexicalChange[]): void => {
  for (const run of runsOf(changes)) WRITERS[run[0]!.kind](db, schema, run);
};
