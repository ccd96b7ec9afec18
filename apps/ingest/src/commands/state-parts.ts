import { folderIsListed } from '@cairn/access';
import {
  CONTENT_EVENTS,
  SERIES_KINDS,
  SYNC_SUPERSEDED_MAX,
  type ClientTokenUse,
  type QuotaName,
  type StoredChunk,
} from '@cairn/contracts';
import type {
  AccountState,
  CommandState,
  ConfirmationState,
  ErasableContent,
  FolderState,
  ItemState,
  MirrorState,
  LinkState,
  MergeState,
  QuotaState,
  ServerState,
} from '@cairn/domain';
import type { Need, NeedName, Needs } from './needs.js';

/** Adds a value to the statement and returns its placeholder. */
export type Bind = (value: unknown) => string;

export type LoadedItem = Omit<ItemState, 'expiresAt' | 'chunks' | 'content'> & { expiresAtMs: number | null };

/** The SQL for each need. */
export interface Parts {
  readonly commandIds: ({ id: string } & CommandState)[];
  readonly folders: FolderState[];
  readonly tokenIds: { id: string; revoked: boolean }[];
  readonly itemIds: LoadedItem[];
  readonly chunksOf: ({ itemId: string } & StoredChunk)[];
  readonly clientTokens: ({ agentId: string; command: CommandState; atMs: number } & ClientTokenUse)[];
  readonly workspaceSlugs: string[];
  readonly accounts: AccountState[];
  readonly seriesOf: { accountId: string; itemIds: string[] }[];
  readonly mirrors: { items: LoadedItem[]; stored: ({ accountId: string; key: string } & MirrorState)[] };
  readonly quotas: ({ name: QuotaName } & QuotaState)[];
  readonly forgetting: { items: LoadedItem[]; contents: ({ id: string } & ErasableContent)[] };
  readonly receiptIds: { id: string; issued: boolean }[];
  readonly confirmations: ConfirmationState[];
  readonly servers: ServerState[];
  readonly links: { items: LoadedItem[]; links: LinkState[] };
  readonly mergeIds: MergeState[];
}

const list = (fields: string, from: string): string =>
  `(select coalesce(json_agg(json_build_object(${fields})), '[]') ${from})`;

/** Postgres breaks base64 into lines. */
const base64 = (column: string): string => `translate(encode(${column}, 'base64'), chr(10), '')`;

const COMMAND_FIELDS = `'position', c.position, 'entityId', c.entity_id, 'type', c.type, 'tokenId', c.token_id,
  'payloadHash', c.payload_hash`;

const CHUNK_FIELDS = `'itemId', b.item_id, 'chunkId', b.chunk_id, 'ordinal', b.ordinal, 'text', ${base64('b.text')},
  'textHash', encode(b.text_hash, 'hex'), 'tokens', b.tokens`;

const ITEM_FIELDS = `'id', i.id, 'folderId', i.folder_id, 'inKb', i.in_kb, 'kind', i.kind,
  'expiresAtMs', (extract(epoch from i.expires_at) * 1000)::bigint, 'createdByAgentId', i.created_by_agent_id,
  'supersededById', i.superseded_by_id, 'meta', ${base64('i.meta')}`;

const CONFIRMATION_FIELDS = `'id', id, 'agentId', agent_id, 'kind', kind, 'payloadHash', payload_hash,
  'sealed', ${base64('sealed')}, 'expiresAtMs', (extract(epoch from expires_at) * 1000)::bigint,
  'restorableUntilMs', (extract(epoch from restorable_until) * 1000)::bigint`;

/** The archive commits together with the library, so it has every op of an item that the library has. */
const contentFields = (types: string): string => `
  'chunkIds', (select coalesce(json_agg(b.chunk_id order by b.ordinal), '[]') from library.bodies b where b.item_id = i.id),
  'ops', (select coalesce(
      json_agg((convert_from(o.body, 'UTF8')::jsonb - '{data,payloadHash}'::text[]) || jsonb_build_object('position', o.position) order by o.position), '[]')
    from archive.ops o where o.item_id = i.id and o.type = any(${types}::text[]))`;

/**
 * Entries that replace the named ones or are replaced by them, at any distance: a circle may close over all of them.
 */
const linkedTo = (ids: string): string => `with recursive linked(id) as (
    select unnest(${ids}::uuid[])
    union
    select step.id from linked l, lateral (
      select i.superseded_by_id as id from library.items i where i.id = l.id and i.superseded_by_id is not null
      union all
      select i.id from library.items i where i.superseded_by_id = l.id
    ) step
  ) select id from linked`;

/** The newest items of the documents, and as many of the earlier ones as the next change redirects. */
const NEWEST_MIRRORS = `with recursive older(id, distance) as (
    (select distinct on (s.account_id, s.external_key) s.id, 1 from stored s
      order by s.account_id, s.external_key, s.position desc, s.id desc)
    union
    select i.id, o.distance + 1 from older o join library.items i on i.superseded_by_id = o.id
      where o.distance < ${SYNC_SUPERSEDED_MAX}
  ) select id from older`;

/** What replaces them, at any distance, and what they have replaced themselves: older entries follow by their links. */
const NEIGHBOURS = `with recursive replacing(id) as (
    select id from named
    union
    select i.superseded_by_id from replacing r join library.items i on i.id = r.id where i.superseded_by_id is not null
  ) select id from replacing
    union
    select i.id from library.items i where i.superseded_by_id in (select id from named)`;

/**
 * Limited to folders that a caller of the group may name: items elsewhere are not looked up, so they take no longer
 * than items that do not exist.
 */
const namedItems = ({ itemIds, chunkIds }: Need<'forgetting'>, { folders }: Needs, bind: Bind): string =>
  `named(id) as materialized (
    select i.id from library.items i
    where i.workspace_id = $1
      and i.id in (
        select unnest(${bind(itemIds)}::uuid[])
        union
        select item_id from library.bodies where chunk_id = any(${bind(chunkIds)}::uuid[]))
      and ${folderIsListed('i.folder_id', `${bind(folders?.all === true ? null : (folders?.ids ?? []))}::uuid[]`)})`;

const items = (set: string): string =>
  list(ITEM_FIELDS, `from library.items i where i.workspace_id = $1 and i.id in (${set})`);

/** The SQL that loads each need as JSON; $1 is the workspace. */
export const PARTS: {
  readonly [N in NeedName]: (need: Need<N>, bind: Bind, needs: Needs) => string;
} = {
  commandIds: (ids, bind) =>
    list(
      `'id', c.id, ${COMMAND_FIELDS}`,
      `from library.commands c where c.workspace_id = $1 and c.id = any(${bind(ids)}::uuid[])`,
    ),
  folders: ({ ids, slugs, all = false }, bind) =>
    list(
      `'id', id, 'slug', slug, 'name', name, 'tier', tier, 'isDefault', is_default`,
      `from library.folders where workspace_id = $1 and (${bind(all)}::boolean or is_default
        or id = any(${bind(ids)}::uuid[]) or slug = any(${bind(slugs)}::text[]))`,
    ),
  tokenIds: (ids, bind) =>
    list(
      `'id', id, 'revoked', revoked_at is not null`,
      `from library.tokens where workspace_id = $1 and id = any(${bind(ids)}::uuid[])`,
    ),
  itemIds: (ids, bind) => items(linkedTo(bind(ids))),
  chunksOf: (ids, bind) =>
    list(
      CHUNK_FIELDS,
      `from library.bodies b join library.items i on i.id = b.item_id
        where i.workspace_id = $1 and i.id = any(${bind(ids)}::uuid[])`,
    ),
  clientTokens: (uses, bind) => {
    const agents = bind(uses.map(({ agentId }) => agentId));
    const tools = bind(uses.map(({ tool }) => tool));
    const tokens = bind(uses.map(({ token }) => token));
    return list(
      `'agentId', t.agent_id, 'tool', t.tool, 'token', t.token,
        'atMs', (extract(epoch from t.used_at) * 1000)::bigint, 'command', json_build_object(${COMMAND_FIELDS})`,
      `from library.client_tokens t
        join unnest(${agents}::text[], ${tools}::text[], ${tokens}::uuid[]) as x(agent, tool, token)
          on t.workspace_id = $1 and t.agent_id = x.agent and t.tool = x.tool and t.token = x.token
        join library.commands c on c.workspace_id = t.workspace_id and c.id = t.command_id`,
    );
  },
  workspaceSlugs: (slugs, bind) =>
    `(select coalesce(json_agg(slug), '[]') from library.workspaces where slug = any(${bind(slugs)}::text[]))`,
  accounts: () =>
    list(
      `'id', id, 'connectorId', connector_id, 'folderId', folder_id, 'retention', retention, 'hydrate', hydrate,
        'confirm', confirm, 'batchTokensMax', batch_tokens_max, 'isConnected', disconnected_position is null,
        'sealed', coalesce(${base64('sealed')}, '')`,
      'from library.accounts where workspace_id = $1',
    ),
  seriesOf: (ids, bind) =>
    list(
      `'accountId', x.account_id, 'itemIds', array(select i.id from library.items i
        where i.workspace_id = $1 and i.account_id = x.account_id and i.kind = any(${bind(SERIES_KINDS)}::text[]))`,
      `from unnest(${bind(ids)}::uuid[]) as x(account_id)`,
    ),
  mirrors: (documents, bind) => {
    const accounts = bind(documents.map(({ accountId }) => accountId));
    const keys = bind(documents.map(({ key }) => Buffer.from(key, 'hex')));
    const stored = `select distinct on (i.id) i.*
      from unnest(${accounts}::uuid[], ${keys}::bytea[]) as x(account, key)
      join library.items i on i.workspace_id = $1 and i.account_id = x.account and i.external_key = x.key`;
    return `(with stored as materialized (${stored}) select json_build_object(
      'items', ${items(NEWEST_MIRRORS)},
      'stored', ${list(
        `'itemId', s.id, 'accountId', s.account_id, 'key', encode(s.external_key, 'hex'),
          'version', encode(s.external_version, 'hex'), 'retention', s.retention`,
        'from (select * from stored order by position desc, id desc) s',
      )}))`;
  },
  quotas: () => list(`'name', name, 'limit', max_used, 'used', used`, 'from library.quotas where workspace_id = $1'),
  forgetting: (need, bind, needs) =>
    `(with ${namedItems(need, needs, bind)} select json_build_object(
      'items', ${items(NEIGHBOURS)},
      'contents', ${list(`'id', i.id, ${contentFields(bind(CONTENT_EVENTS))}`, 'from named i')}))`,
  receiptIds: (ids, bind) =>
    list(
      `'id', receipt_id, 'issued', receipt is not null`,
      `from library.forgets where workspace_id = $1 and receipt_id = any(${bind(ids)}::uuid[])`,
    ),
  confirmations: ({ ids, open = false }, bind) =>
    list(
      CONFIRMATION_FIELDS,
      `from library.confirmations where workspace_id = $1
        and (id = any(${bind(ids)}::uuid[]) or (${bind(open)}::boolean and resolved_position is null))`,
    ),
  servers: () =>
    list(
      `'id', id, 'name', name, 'transport', transport, 'enabled', enabled, 'approval', approval, 'tools', tools,
        'sealed', ${base64('sealed')}`,
      'from library.external_mcp_servers where workspace_id = $1 and removed_position is null',
    ),
  links: ({ ids, itemIds }, bind) =>
    `(with linked as materialized (
        select l.id, l.from_id, l.to_id from library.memory_links l
        where l.workspace_id = $1 and l.id = any(${bind(ids)}::uuid[]) and not l.to_gone)
      select json_build_object(
        'links', ${list(`'id', id, 'fromItemId', from_id, 'toItemId', to_id`, 'from linked')},
        'items', ${items(`select unnest(${bind(itemIds)}::uuid[]) union select from_id from linked union select to_id from linked`)}))`,
  mergeIds: (ids, bind) =>
    list(
      `'id', id, 'isSplit', is_split`,
      `from library.merges where workspace_id = $1 and id = any(${bind(ids)}::uuid[])`,
    ),
};
