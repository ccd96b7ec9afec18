import { GENESIS_HASH } from '@cairn/contracts';
import {
  clientTokenKey,
  EMPTY_STATE,
  mirrorKey,
  type ItemState,
  type MirrorState,
  type WorkspaceState,
} from '@cairn/domain';
import type { WorkspaceHead } from '@cairn/op-log';
import { databaseError, queryNamed } from '@cairn/persistence';
import type { Pool } from 'pg';
import { NEED_NAMES, type NeedName, type Needs } from './needs.js';
import { PARTS, type Bind, type LoadedItem, type Parts } from './state-parts.js';

export interface LoadedState {
  readonly head: WorkspaceHead;
  readonly state: WorkspaceState;
}

type Loaded = Partial<Parts> & { readonly workspace: { head: number; hash: string } | null };

const WORKSPACE = `(select json_build_object('head', head, 'hash', head_hash) from library.workspaces where id = $1)`;

const column = <N extends NeedName>(name: N, needs: Needs, bind: Bind): string[] => {
  const need = needs[name];
  return need === undefined ? [] : [`${PARTS[name](need, bind, needs)} as "${name}"`];
};

/** One statement, so head and state are consistent; it loads only the parts that are needed. */
const statement = (workspaceId: string, needs: Needs): { text: string; values: unknown[] } => {
  const values: unknown[] = [workspaceId];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const columns = [`${WORKSPACE} as workspace`, ...NEED_NAMES.flatMap((name) => column(name, needs, bind))];
  return { text: `select ${columns.join(',\n')}`, values };
};

const byId = <T extends { readonly id: string }>(rows: readonly T[] = []): ReadonlyMap<string, T> =>
  new Map(rows.map((row) => [row.id, row]));

const itemOf = ({ expiresAtMs, ...item }: LoadedItem): ItemState => ({
  ...item,
  expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
});

/** The parts that load items. */
const loadedItems = ({ itemIds = [], forgetting, links, mirrors }: Loaded): LoadedItem[] => [
  ...itemIds,
  ...[forgetting, links, mirrors].flatMap((part) => part?.items ?? []),
];

const itemsOf = (loaded: Loaded): ItemState[] => {
  const { chunksOf, forgetting } = loaded;
  const contentOf = byId(forgetting?.contents);
  return loadedItems(loaded).map((item) => {
    const own = chunksOf?.filter(({ itemId }) => itemId === item.id).sort((a, b) => a.ordinal - b.ordinal);
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

const mirrorsOf = ({ mirrors }: Loaded): WorkspaceState['mirrors'] => {
  const all = new Map<string, MirrorState[]>();
  for (const { accountId, key, ...mirror } of mirrors?.stored ?? []) {
    const document = mirrorKey(accountId, key);
    all.set(document, [...(all.get(document) ?? []), mirror]);
  }
  return all;
};

const stateOf = (loaded: Loaded): WorkspaceState => ({
  ...EMPTY_STATE,
  exists: loaded.workspace !== null,
  workspaceSlugs: new Set(loaded.workspaceSlugs),
  folders: byId(loaded.folders),
  tokens: byId(loaded.tokenIds),
  items: byId(itemsOf(loaded)),
  clientTokens: new Map(loaded.clientTokens?.map((used) => [clientTokenKey(used.agentId, used), used])),
  commands: byId(loaded.commandIds),
  quotas: quotasOf(loaded),
  confirmations: byId(loaded.confirmations),
  receipts: byId(loaded.receiptIds),
  servers: byId(loaded.servers),
  links: byId(loaded.links?.links),
  accounts: byId(loaded.accounts),
  merges: byId(loaded.mergeIds),
  series: new Map(loaded.seriesOf?.map(({ accountId, itemIds }) => [accountId, new Set(itemIds)])),
  mirrors: mirrorsOf(loaded),
});

export const loadState = async (pool: Pool, workspaceId: string, needs: Needs): Promise<LoadedState> => {
  const { text, values } = statement(workspaceId, needs);
  // There are as many statements as combinations of needs, and planning one takes longer than running it.
  const { rows } = await queryNamed<Loaded>(pool, text, values).catch((thrown: unknown) => {
    throw databaseError(thrown);
  });
  const loaded = rows[0]!;
  const head = loaded.workspace
    ? { position: loaded.workspace.head, hash: loaded.workspace.hash }
    : { position: 0, hash: GENESIS_HASH };
  return { head, state: stateOf(loaded) };
};
