import { notFound } from '@cairn/access';
import {
  isTighter,
  MESH_CONFIRMATION_LIFE_MS,
  meshUri,
  type CommandData,
  type ItemDetail,
  type LocatedText,
  type MeshAddress,
  type QueryAnswer,
  type QueryData,
} from '@cairn/contracts';
import { decideSyncItem, mirrorKey, type AccountState, type SealedItem, type Synced } from '@cairn/domain';
import { uuidV7 } from '@cairn/kernel';
import type { QueryContext } from './cairn-answer.fake.js';
import { at, type Prepare } from './cairn-prepare.fake.js';

type SealItem = (data: CommandData<'item.store'>, extras: { readonly externalRef?: string | undefined }) => SealedItem;

const itemOf = ({
  title,
  text,
  uri,
  kind,
  retention,
  ref,
  format,
}: CommandData<'item.sync'>): CommandData<'item.store'> => ({
  title,
  text,
  kind,
  ...(format && { format }),
  tags: [],
  inKb: retention !== 'dark',
  confidence: 100,
  expiresAt: null,
  surface: 'rest',
  source: { kind: 'connector', ...(retention !== 'dark' && { name: ref, ...(uri !== undefined && { uri }) }) },
});

/** A text is its own hash here. */
export const syncItemWith =
  (seal: SealItem): Prepare<'item.sync'> =>
  (request) => {
    const { accountId, ref, version, retention } = request.data;
    const item = seal(itemOf(request.data), { externalRef: retention === 'dark' ? undefined : ref });
    const document = { key: ref, version: `${retention} ${version}` };
    return {
      decide: (state, atMs) =>
        decideSyncItem(state, at(request, { command: { accountId, retention }, item, document }, atMs)),
      answer: (decision, position) => {
        const { entityId: itemId, outcome, looserIds } = decision as Synced;
        return { itemId, outcome, looserIds: [...looserIds], position };
      },
    };
  };

export const knownDocuments = (
  { workspace }: QueryContext,
  { accountId, documents }: QueryData<'account.known'>,
): QueryAnswer<'account.known'> => {
  const account = workspace.state.accounts.get(accountId);
  if (account?.isConnected !== true) throw notFound('account');
  const isKnown = ({ ref, version }: { readonly ref: string; readonly version: string }): boolean => {
    const mirrors = workspace.state.mirrors.get(mirrorKey(accountId, ref)) ?? [];
    const isTight = mirrors.every(({ retention }) => !isTighter(account.retention, retention));
    return isTight && mirrors[0]?.version === `${account.retention} ${version}`;
  };
  return { refs: documents.filter(isKnown).map(({ ref }) => ref), position: 0 };
};

interface Token {
  readonly uri: string;
  readonly agentId?: string | undefined;
  readonly maxTokens?: number | undefined;
  readonly expiresAtMs: number;
  readonly nonce: string;
}

const openToken = (token: string): Token | undefined => {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString()) as Token;
  } catch {
    return undefined;
  }
};

const checked = (
  { principal, nowMs }: QueryContext,
  { token, ...address }: QueryData<'mesh.locate'>,
): Pick<LocatedText, 'confirmation' | 'nonce' | 'maxTokens'> => {
  if (token === undefined) return { confirmation: 'none', nonce: null, maxTokens: null };
  const opened = openToken(token);
  const isGood =
    opened?.uri === meshUri(address) &&
    opened.expiresAtMs > nowMs &&
    (opened.agentId ?? principal.agentId) === principal.agentId;
  return isGood
    ? { confirmation: 'valid', nonce: opened.nonce, maxTokens: opened.maxTokens ?? null }
    : { confirmation: 'invalid', nonce: null, maxTokens: null };
};

/** Accepts only the account and connector that the item came from. */
export const accountOfText = (
  { workspace }: QueryContext,
  { itemId, accountId, connectorId }: MeshAddress,
): AccountState => {
  const account = workspace.state.accounts.get(accountId);
  const isOwner = workspace.items.get(itemId)?.accountId === accountId;
  if (!account || !isOwner || account.connectorId !== connectorId) throw notFound('item');
  return account;
};

/** `item` is the part that the caller may see; `ref` is the source's own name for it. */
export const locateText = (
  context: QueryContext,
  data: QueryData<'mesh.locate'>,
  item: ItemDetail,
  ref: string | undefined,
): LocatedText => {
  const { workspace } = context;
  const { hydrate, confirm, batchTokensMax, isConnected } = accountOfText(context, data);
  const { retention, title, inKb, folderId, content } = item;
  return {
    itemId: data.itemId,
    title,
    inKb,
    folderId,
    retention,
    text: retention === 'full' ? content : null,
    ref: retention === 'dark' ? null : (ref ?? null),
    account: isConnected ? { hydrate, confirm, batchTokensMax } : null,
    ...checked(context, data),
    dailyTokensMax: workspace.state.quotas.mesh_daily_tokens.limit,
  };
};

export const confirmFetch = (
  { nowMs }: QueryContext,
  { agentId, maxTokens, ...address }: QueryData<'mesh.confirm'>,
): QueryAnswer<'mesh.confirm'> => {
  const expiresAtMs = nowMs + MESH_CONFIRMATION_LIFE_MS;
  const token: Token = { uri: meshUri(address), agentId, maxTokens, expiresAtMs, nonce: uuidV7() };
  return {
    token: Buffer.from(JSON.stringify(token)).toString('base64url'),
    expiresAt: new Date(expiresAtMs).toISOString(),
  };
};
