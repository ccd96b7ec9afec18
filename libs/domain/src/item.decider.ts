import {
  CHUNKS_PER_OP_MAX,
  CLIENT_TOKEN_LIFE_MS,
  fail,
  type CommandData,
  type DomainEvent,
  type Principal,
  type StoredChunk,
} from '@cairn/contracts';
import { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
import { visibleFolder } from './folder.decider.js';
import { clientTokenKey, type FolderState, type WorkspaceState } from './state.js';

/** A `StoreItem` after ingest has chunked and sealed its text: ids are minted, no plaintext is left. */
export interface SealedItem {
  readonly itemId: string;
  readonly command: Omit<CommandData<'item.store'>, 'title' | 'text' | 'tags'>;
  readonly meta: string;
  readonly payloadHash: string;
  readonly chunks: readonly StoredChunk[];
}

/** No folder named: the token's only folder, else the workspace's default one. */
const targetFolder = (state: WorkspaceState, principal: Principal, folderId: string | undefined): FolderState => {
  if (folderId !== undefined) return visibleFolder(state, principal, folderId);
  const [only, another] = principal.folderIds;
  if (!principal.isUnscoped && only !== undefined && another === undefined)
    return visibleFolder(state, principal, only);
  const fallback = [...state.folders.values()].find((folder) => folder.isDefault);
  if (fallback && (principal.isUnscoped || principal.folderIds.includes(fallback.id))) return fallback;
  throw fail('folder.required', 'this token has no default folder: name one in folderId', { field: 'folderId' });
};

type ItemStored = Extract<DomainEvent, { type: 'item.stored' }>;

/** The chunks that did not fit the first op, a fixed number in each further one. */
const extensions = ({ data }: ItemStored, chunks: readonly StoredChunk[]): DomainEvent[] => {
  const { itemId, folderId, inKb, expiresAt, meta } = data;
  const events: DomainEvent[] = [];
  for (let start = CHUNKS_PER_OP_MAX; start < chunks.length; start += CHUNKS_PER_OP_MAX) {
    const part = chunks.slice(start, start + CHUNKS_PER_OP_MAX);
    events.push({ type: 'item.extended', data: { itemId, folderId, inKb, expiresAt, meta, chunks: part } });
  }
  return events;
};

const earlierStore = (state: WorkspaceState, { principal, atMs, data }: Decidable<SealedItem>): string | undefined => {
  const { clientToken } = data.command;
  if (clientToken === undefined) return undefined;
  const earlier = state.clientTokens.get(clientTokenKey(principal.agentId, clientToken));
  if (!earlier || atMs - earlier.storedAtMs >= CLIENT_TOKEN_LIFE_MS) return undefined;
  if (earlier.payloadHash !== data.payloadHash) {
    throw fail('idempotency.key_reused', 'clientToken was used for other content within the last 60 seconds', {
      field: 'clientToken',
    });
  }
  return earlier.itemId;
};

export const decideStoreItem = (state: WorkspaceState, decidable: Decidable<SealedItem>): Decision => {
  const { data, principal, atMs } = decidable;
  const { command, itemId, chunks } = data;
  const earlier = earlierStore(state, decidable);
  if (earlier !== undefined) return alreadyDone(earlier);
  if (command.expiresAt !== null && Date.parse(command.expiresAt) <= atMs) {
    throw fail('knowledge.expires_in_past', 'expiresAt must be strictly in the future', { field: 'expiresAt' });
  }
  const folder = targetFolder(state, principal, command.folderId);
  const stored: ItemStored = {
    type: 'item.stored',
    data: {
      itemId,
      folderId: folder.id,
      inKb: command.inKb,
      kind: command.kind,
      sourceKind: command.source.kind,
      createdByAgentId: principal.agentId,
      confidence: command.confidence,
      expiresAt: command.expiresAt === null ? null : new Date(command.expiresAt).toISOString(),
      links: command.taskRef ? [{ type: 'task_knowledge', ...command.taskRef }] : [],
      clientToken: command.clientToken ?? null,
      payloadHash: data.payloadHash,
      meta: data.meta,
      chunkCount: chunks.length,
      chunks: chunks.slice(0, CHUNKS_PER_OP_MAX),
    },
  };
  return decided(itemId, stored, ...extensions(stored, chunks));
};
