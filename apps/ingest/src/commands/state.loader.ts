import { folderIsListed } from '@cairn/access';
import { CONTENT_EVENTS, GENESIS_HASH, type ClientTokenUse, type QuotaName, type StoredChunk } from '@cairn/contracts';
import {
  clientTokenKey,
  EMPTY_STATE,
  type CommandState,
  type ConfirmationState,
  type ErasableContent,
  type FolderState,
  type ItemState,
  type QuotaState,
  type WorkspaceState,
} from '@cairn/domain';
import type { WorkspaceHead } from '@cairn/op-log';
import { databaseError, queryNamed } from '@cairn/persistence';
import type { Pool } from 'pg';

/** What a group of commands speaks of; only this much of the workspace is loaded. */
export interface Needs {
  readonly commandIds: readonly string[];
  readonly folders?: {
    readonly ids: readonly string[];
    readonly slugs: readonly string[];
    readonly all?: boolean;
  };
  readonly tokenIds?: readonly string[];
  readonly itemIds?: readonly string[];
  /** Items whose ciphertext is needed too. */
  readonly chunksOf?: readonly string[];
  readonly clientTokens?: readonly ({ readonly agentId: string } & ClientTokenUse)[];
  readonly workspaceSlugs?: readonly string[];
  readonly quotas?: boolean;
  /** Items that are to be forgotten, by id or by one of their chunks, and with them where in the log their content is. */
  readonly forgetting?: { readonly itemIds: readonly string[]; readonly chunkIds: readonly string[] };
  readonly receiptIds?: readonly string[];
  /** By id, and whether all that wait still are needed too. */
  readonly confirmations?: { readonly ids: readonly string[]; readonly open?: boolean };
}

export interface LoadedState {
  readonly head: WorkspaceHead;
  readonly state: WorkspaceState;
}

type LoadedItem = Omit<ItemState, 'expiresAt' | 'chunks' | 'content'> & { expiresAtMs: number | null };

interface Loaded {
  readonly workspace: { head: number; hash: string } | null;
  readonly commands: ({ id: string } & CommandState)[];
  readonly folders?: FolderState[];
  readonly tokens?: { id: string; revoked: boolean }[];
  readonly items?: LoadedItem[];
  readonly contents?: ({ id: string } & ErasableContent)[];
  readonly receipts?: { id: string; issued: boolean }[];
  readonly chunks?: ({ itemId: string } & StoredChunk)[];
  readonly clientTokens?: ({ agentId: string; command: CommandState; atMs: number } & ClientTokenUse)[];
  readonly slugs?: string[];
  readonly quotas?: ({ name: QuotaName } & QuotaState)[];
  readonly confirmations?: ConfirmationState[];
}

const list = (fields: string, from: string): string =>
  `(select coalesce(json_agg(json_build_object(${fields})), '[]') ${from})`;

/** Postgres breaks its base64 into lines. */
const base64 = (column: string): string => `translate(encode(${column}, 'base64'), chr(10), '')`;

const COMMAND_FIELDS = `'position', c.position, 'entityId', c.entity_id, 'type', c.type, 'tokenId', c.token_id,
  'payloadHash', c.payload_hash`;

const CHUNK_FIELDS = `'itemId', b.item_id, 'chunkId', b.chunk_id, 'ordinal', b.ordinal, 'text', ${base64('b.text')},
  'textHash', encode(b.text_hash, 'hex'), 'tokens', b.tokens`;

const ITEM_FIELDS = `'id', i.id, 'folderId', i.folder_id, 'inKb', i.in_kb,
  'expiresAtMs', (extract(epoch from i.expires_at) * 1000)::bigint, 'createdByAgentId', i.created_by_agent_id,
  'supersededById', i.superseded_by_id, 'meta', ${base64('i.meta')}`;

/** The archive commits together with the library, so it knows every op of an item that the library knows. */
const CONTENT_FIELDS = `
  'chunkIds', (select coalesce(json_agg(b.chunk_id order by b.ordinal), '[]') from library.bodies b where b.item_id = i.id),
  'ops', (select coalesce(
      json_agg((convert_from(o.body, 'UTF8')::jsonb - '{data,payloadHash}'::text[]) || jsonb_build_object('position', o.position) order by o.position), '[]')
    from archive.ops o where o.item_id = i.id and o.type = any($types::text[]))`;

/** Entries that replace, or are replaced by, the named ones, at any distance: a circle may close over all of them. */
const LINKED_ITEMS = `with recursive linked(id) as (
    select unnest($ids::uuid[])
    union
    select step.id from linked l, lateral (
      select i.superseded_by_id as id from library.items i where i.id = l.id and i.superseded_by_id is not null
      union all
      select i.id from library.items i where i.superseded_by_id = l.id
    ) step
  ) select id from linked`;

/** What replaces them, at any distance, and what they have replaced themselves: what older leads to follows by its links. */
const NEIGHBOURS = `with recursive replacing(id) as (
    select id from named
    union
    select i.superseded_by_id from replacing r join library.items i on i.id = r.id where i.superseded_by_id is not null
  ) select id from replacing
    union
    select i.id from library.items i where i.superseded_by_id in (select id from named)`;

/**
 * Only in folders that a caller of the group may name: nothing is looked up of what lies elsewhere, so that it takes no
 * longer than what does not exist.
 */
const namedItems = (
  { itemIds, chunkIds }: NonNullable<Needs['forgetting']>,
  { folders: { ids, all = false } = { ids: [], slugs: [] } }: Needs,
  bind: (value: unknown) => string,
): string =>
  `with named(id) as materialized (
    select i.id from library.items i
    where i.workspace_id = $1
      and i.id in (
        select unnest(${bind(itemIds)}::uuid[])
        union
        select item_id from library.bodies where chunk_id = any(${bind(chunkIds)}::uuid[]))
      and ${folderIsListed('i.folder_id', `${bind(all ? null : ids)}::uuid[]`)})
`;

/** One statement, so that head and state are of one moment; only the parts that are asked for. */
const statement = (workspaceId: string, needs: Needs): { text: string; values: unknown[] } => {
  const values: unknown[] = [workspaceId];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const parts = [
    `(select json_build_object('head', head, 'hash', head_hash) from library.workspaces where id = $1) as workspace`,
    `${list(`'id', c.id, ${COMMAND_FIELDS}`, `from library.commands c where c.workspace_id = $1 and c.id = any(${bind(needs.commandIds)}::uuid[])`)} as commands`,
  ];
  if (needs.folders) {
    const { ids, slugs, all = false } = needs.folders;
    const which = `workspace_id = $1 and (${bind(all)}::boolean or is_default or id = any(${bind(ids)}::uuid[]) or slug = any(${bind(slugs)}::text[]))`;
    parts.push(
      `${list(`'id', id, 'slug', slug, 'name', name, 'tier', tier, 'isDefault', is_default`, `from library.folders where ${which}`)} as folders`,
    );
  }
  if (needs.tokenIds) {
    const which = `workspace_id = $1 and id = any(${bind(needs.tokenIds)}::uuid[])`;
    parts.push(
      `${list(`'id', id, 'revoked', revoked_at is not null`, `from library.tokens where ${which}`)} as tokens`,
    );
  }
  const { itemIds, forgetting } = needs;
  const withNamed = forgetting ? namedItems(forgetting, needs, bind) : '';
  if (itemIds ?? forgetting) {
    const sets = [
      ...(itemIds ? [LINKED_ITEMS.replace('$ids', bind(itemIds))] : []),
      ...(forgetting ? [NEIGHBOURS] : []),
    ];
    const from = `from library.items i where i.workspace_id = $1 and i.id in (${sets.map((set) => `(${set})`).join(' union ')})`;
    parts.push(`${list(ITEM_FIELDS, from)} as items`);
  }
  if (needs.chunksOf) {
    const from = `from library.bodies b join library.items i on i.id = b.item_id
      where i.workspace_id = $1 and i.id = any(${bind(needs.chunksOf)}::uuid[])`;
    parts.push(`${list(CHUNK_FIELDS, from)} as chunks`);
  }
  if (forgetting) {
    const fields = `'id', i.id, ${CONTENT_FIELDS.replace('$types', bind(CONTENT_EVENTS))}`;
    parts.push(`${list(fields, 'from named i')} as contents`);
  }
  if (needs.receiptIds) {
    const from = `from library.forgets where workspace_id = $1 and receipt_id = any(${bind(needs.receiptIds)}::uuid[])`;
    parts.push(`${list(`'id', receipt_id, 'issued', receipt is not null`, from)} as receipts`);
  }
  if (needs.clientTokens) {
    const agents = bind(needs.clientTokens.map(({ agentId }) => agentId));
    const tools = bind(needs.clientTokens.map(({ tool }) => tool));
    const tokens = bind(needs.clientTokens.map(({ token }) => token));
    const from = `from library.client_tokens t
      join unnest(${agents}::text[], ${tools}::text[], ${tokens}::uuid[]) as x(agent, tool, token)
        on t.workspace_id = $1 and t.agent_id = x.agent and t.tool = x.tool and t.token = x.token
      join library.commands c on c.workspace_id = t.workspace_id and c.id = t.command_id`;
    const fields = `'agentId', t.agent_id, 'tool', t.tool, 'token', t.token,
      'atMs', (extract(epoch from t.used_at) * 1000)::bigint, 'command', json_build_object(${COMMAND_FIELDS})`;
    parts.push(`${list(fields, from)} as "clientTokens"`);
  }
  if (needs.workspaceSlugs) {
    parts.push(
      `(select coalesce(json_agg(slug), '[]') from library.workspaces where slug = any(${bind(needs.workspaceSlugs)}::text[])) as slugs`,
    );
  }
  if (needs.quotas) {
    const from = 'from library.quotas where workspace_id = $1';
    parts.push(`${list(`'name', name, 'limit', max_used, 'used', used`, from)} as quotas`);
  }
  if (needs.confirmations) {
    const { ids, open = false } = needs.confirmations;
    const fields = `'id', id, 'agentId', agent_id, 'kind', kind, 'payloadHash', payload_hash, 'sealed', ${base64('sealed')},
      'expiresAtMs', (extract(epoch from expires_at) * 1000)::bigint,
      'restorableUntilMs', (extract(epoch from restorable_until) * 1000)::bigint`;
    const isOpen = `(${bind(open)}::boolean and resolved_position is null)`;
    const from = `from library.confirmations where workspace_id = $1 and (id = any(${bind(ids)}::uuid[]) or ${isOpen})`;
    parts.push(`${list(fields, from)} as confirmations`);
  }
  return { text: `${withNamed}select ${parts.join(',\n')}`, values };
};

const byId = <T extends { readonly id: string }>(rows: readonly T[] = []): ReadonlyMap<string, T> =>
  new Map(rows.map((row) => [row.id, row]));

const itemOf = ({ expiresAtMs, ...item }: LoadedItem): ItemState => ({
  ...item,
  expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
});

const itemsOf = ({ items = [], chunks, contents }: Loaded): ItemState[] => {
  const contentOf = byId(contents);
  return items.map((item) => {
    const own = chunks?.filter(({ itemId }) => itemId === item.id).sort((a, b) => a.ordinal - b.ordinal);
    const content = contentOf.get(item.id);
    return {
      ...itemOf(item),
      ...(own && own.length > 0 && { chunks: own.map(({ itemId: _, ...chunk }) => chunk) }),
      ...(content && { content: { chunkIds: content.chunkIds, ops: content.ops } }),
    };
  });
};

const quotasOf = ({ quotas = [] }: Loaded): WorkspaceState['quotas'] => ({
  ...EMPTY_STATE.quotas,
  ...Object.fromEntries(quotas.map(({ name, limit, used }) => [name, { limit, used }])),
});

const stateOf = (row: Loaded): WorkspaceState => ({
  ...EMPTY_STATE,
  exists: row.workspace !== null,
  workspaceSlugs: new Set(row.slugs),
  folders: byId(row.folders),
  tokens: byId(row.tokens),
  items: byId(itemsOf(row)),
  clientTokens: new Map(row.clientTokens?.map((used) => [clientTokenKey(used.agentId, used), used])),
  commands: byId(row.commands),
  quotas: quotasOf(row),
  confirmations: byId(row.confirmations),
  receipts: byId(row.receipts),
});

export const loadState = async (pool: Pool, workspaceId: string, needs: Needs): Promise<LoadedState> => {
  const { text, values } = statement(workspaceId, needs);
  // Its texts are as many as there are kinds of needs together, and planning one takes longer than running it.
  const { rows } = await queryNamed<Loaded>(pool, text, values).catch((thrown: unknown) => {
    throw databaseError(thrown);
  });
  const row = rows[0]!;
  const head = row.workspace
    ? { position: row.workspace.head, hash: row.workspace.hash }
    : { position: 0, hash: GENESIS_HASH };
  return { head, state: stateOf(row) };
};

export const mergeNeeds = (all: readonly Needs[]): Needs => {
  const some = <T>(values: (readonly T[] | undefined)[]): readonly T[] | undefined =>
    values.some((value) => value !== undefined) ? values.flatMap((value) => value ?? []) : undefined;
  const folders = all.map((needs) => needs.folders).filter((value) => value !== undefined);
  const forgetting = all.map((needs) => needs.forgetting).filter((value) => value !== undefined);
  const confirmations = all.map((needs) => needs.confirmations).filter((value) => value !== undefined);
  const merged = {
    tokenIds: some(all.map((needs) => needs.tokenIds)),
    itemIds: some(all.map((needs) => needs.itemIds)),
    chunksOf: some(all.map((needs) => needs.chunksOf)),
    clientTokens: some(all.map((needs) => needs.clientTokens)),
    workspaceSlugs: some(all.map((needs) => needs.workspaceSlugs)),
    receiptIds: some(all.map((needs) => needs.receiptIds)),
  };
  return {
    commandIds: all.flatMap((needs) => needs.commandIds),
    ...(folders.length > 0 && {
      folders: {
        ids: folders.flatMap(({ ids }) => ids),
        slugs: folders.flatMap(({ slugs }) => slugs),
        all: folders.some(({ all: whole }) => whole === true),
      },
    }),
    ...(all.some((needs) => needs.quotas === true) && { quotas: true }),
    ...(forgetting.length > 0 && {
      forgetting: {
        itemIds: forgetting.flatMap(({ itemIds }) => itemIds),
        chunkIds: forgetting.flatMap(({ chunkIds }) => chunkIds),
      },
    }),
    ...(confirmations.length > 0 && {
      confirmations: {
        ids: confirmations.flatMap(({ ids }) => ids),
        open: confirmations.some(({ open }) => open === true),
      },
    }),
    ...(Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)) as Partial<Needs>),
  };
};
