import { GENESIS_HASH } from '@cairn/contracts';
import {
  clientTokenKey,
  EMPTY_STATE,
  type CommandState,
  type FolderState,
  type ItemState,
  type WorkspaceState,
} from '@cairn/domain';
import type { WorkspaceHead } from '@cairn/op-log';
import { databaseError } from '@cairn/persistence';
import type { Pool } from 'pg';

/** What a group of commands speaks of; only this much of the workspace is loaded. */
export interface Needs {
  readonly commandIds: readonly string[];
  readonly folders?: { readonly ids: readonly string[]; readonly slugs: readonly string[] };
  readonly tokenIds?: readonly string[];
  readonly itemIds?: readonly string[];
  readonly clientTokens?: readonly { readonly agentId: string; readonly token: string }[];
  readonly workspaceSlugs?: readonly string[];
}

export interface LoadedState {
  readonly head: WorkspaceHead;
  readonly state: WorkspaceState;
}

interface Loaded {
  readonly workspace: { head: number; hash: string } | null;
  readonly commands: ({ id: string } & CommandState)[];
  readonly folders?: FolderState[];
  readonly tokens?: { id: string; revoked: boolean }[];
  readonly items?: ItemState[];
  readonly clientTokens?: { agentId: string; token: string; itemId: string; payloadHash: string; storedAtMs: number }[];
  readonly slugs?: string[];
}

const list = (fields: string, from: string): string =>
  `(select coalesce(json_agg(json_build_object(${fields})), '[]') ${from})`;

/** Entries that replace, or are replaced by, the named ones, at any distance. */
const RELATED_ITEMS = `with recursive related(id) as (
    select unnest($ids::uuid[])
    union
    select step.id from related r, lateral (
      select i.superseded_by_id as id from library.items i where i.id = r.id and i.superseded_by_id is not null
      union all
      select i.id from library.items i where i.superseded_by_id = r.id
    ) step
  ) select coalesce(json_agg(json_build_object('id', i.id, 'folderId', i.folder_id,
      'createdByAgentId', i.created_by_agent_id, 'supersededById', i.superseded_by_id)), '[]')
    from library.items i join related using (id) where i.workspace_id = $1`;

/** One statement, so that head and state are of one moment; only the parts that are asked for. */
const statement = (workspaceId: string, needs: Needs): { text: string; values: unknown[] } => {
  const values: unknown[] = [workspaceId];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const parts = [
    `(select json_build_object('head', head, 'hash', head_hash) from library.workspaces where id = $1) as workspace`,
    `${list(`'id', id, 'position', position, 'entityId', entity_id, 'type', type, 'tokenId', token_id, 'payloadHash', payload_hash`, `from library.commands where workspace_id = $1 and id = any(${bind(needs.commandIds)}::uuid[])`)} as commands`,
  ];
  if (needs.folders) {
    const { ids, slugs } = needs.folders;
    const which = `workspace_id = $1 and (is_default or id = any(${bind(ids)}::uuid[]) or slug = any(${bind(slugs)}::text[]))`;
    parts.push(
      `${list(`'id', id, 'slug', slug, 'tier', tier, 'isDefault', is_default`, `from library.folders where ${which}`)} as folders`,
    );
  }
  if (needs.tokenIds) {
    const which = `workspace_id = $1 and id = any(${bind(needs.tokenIds)}::uuid[])`;
    parts.push(
      `${list(`'id', id, 'revoked', revoked_at is not null`, `from library.tokens where ${which}`)} as tokens`,
    );
  }
  if (needs.itemIds) parts.push(`(${RELATED_ITEMS.replace('$ids', bind(needs.itemIds))}) as items`);
  if (needs.clientTokens) {
    const agents = bind(needs.clientTokens.map(({ agentId }) => agentId));
    const tokens = bind(needs.clientTokens.map(({ token }) => token));
    const from = `from library.client_tokens c join unnest(${agents}::text[], ${tokens}::uuid[]) as x(agent, token)
      on c.workspace_id = $1 and c.agent_id = x.agent and c.token = x.token`;
    const fields = `'agentId', c.agent_id, 'token', c.token, 'itemId', c.item_id, 'payloadHash', c.payload_hash,
      'storedAtMs', (extract(epoch from c.stored_at) * 1000)::bigint`;
    parts.push(`${list(fields, from)} as "clientTokens"`);
  }
  if (needs.workspaceSlugs) {
    parts.push(
      `(select coalesce(json_agg(slug), '[]') from library.workspaces where slug = any(${bind(needs.workspaceSlugs)}::text[])) as slugs`,
    );
  }
  return { text: `select ${parts.join(',\n')}`, values };
};

const byId = <T extends { readonly id: string }>(rows: readonly T[] = []): ReadonlyMap<string, T> =>
  new Map(rows.map((row) => [row.id, row]));

const stateOf = (row: Loaded): WorkspaceState => ({
  ...EMPTY_STATE,
  exists: row.workspace !== null,
  workspaceSlugs: new Set(row.slugs),
  folders: byId(row.folders),
  tokens: byId(row.tokens),
  items: byId(row.items),
  clientTokens: new Map(row.clientTokens?.map((record) => [clientTokenKey(record.agentId, record.token), record])),
  commands: byId(row.commands),
});

export const loadState = async (pool: Pool, workspaceId: string, needs: Needs): Promise<LoadedState> => {
  const { rows } = await pool.query<Loaded>(statement(workspaceId, needs)).catch((thrown: unknown) => {
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
  const merged = {
    tokenIds: some(all.map((needs) => needs.tokenIds)),
    itemIds: some(all.map((needs) => needs.itemIds)),
    clientTokens: some(all.map((needs) => needs.clientTokens)),
    workspaceSlugs: some(all.map((needs) => needs.workspaceSlugs)),
  };
  return {
    commandIds: all.flatMap((needs) => needs.commandIds),
    ...(folders.length > 0 && {
      folders: { ids: folders.flatMap(({ ids }) => ids), slugs: folders.flatMap(({ slugs }) => slugs) },
    }),
    ...(Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)) as Partial<Needs>),
  };
};
