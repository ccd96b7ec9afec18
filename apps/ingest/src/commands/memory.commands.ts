import { folderIsVisible, folderReaderValues, readerOf, readerSql } from '@cairn/access';
import {
  AGENT_ITEM_CONFIDENCE,
  fail,
  type ConfirmationReason,
  type CommandData,
  type CommandResult,
  type MemoryKind,
  type Principal,
} from '@cairn/contracts';
import {
  decideRemember,
  decideResolveConfirmation,
  keyReused,
  resolveFolder,
  type ConfirmationState,
  type Decision,
  type FolderCandidate,
  type NamedFolder,
  type OpenedMemory,
  type Remembered,
} from '@cairn/domain';
import type { ParsedRequest } from '@cairn/messaging';
import { openWaitingText, sealWaitingText, type ItemKeys } from '@cairn/vault';
import type { Pool } from 'pg';
import { clientTokenIn } from './client-token.js';
import { anyFolderOf, type Command, type CommandServices, type PrepareContext } from './command.js';
import { sealItem, type Sealed } from './seal-item.js';
import { isVisible } from './visible-item.js';

/** Less than that of other text by an agent, since no one has reviewed it. */
const CONVERSATION_CONFIDENCE = 50;

/** From here on, a memory is an ordinary item with the same pipeline as a file or an entry. */
const itemOf = (label: string | null, text: string, kind: MemoryKind): CommandData<'item.store'> => ({
  ...(label !== null && { title: label }),
  text,
  kind,
  inKb: true,
  tags: [],
  source: { kind: 'agent' },
  surface: 'mcp',
  confidence: kind === 'ai-conversation' ? CONVERSATION_CONFIDENCE : AGENT_ITEM_CONFIDENCE,
  expiresAt: null,
});

const REMEMBER_TOOL = 'remember';

type RememberAnswer = CommandResult<'item.remember'>;

/** The part of the result that the answer contains. */
type Made =
  | { readonly outcome: 'stored'; readonly entityId: string; readonly folder: NamedFolder }
  | {
      readonly outcome: 'waiting';
      readonly entityId: string;
      readonly reason: ConfirmationReason;
      readonly candidates: readonly FolderCandidate[];
      readonly folders: readonly NamedFolder[];
    };

const answerOf = (made: Made, chunkCount: number, position: number): RememberAnswer => {
  if (made.outcome === 'stored') {
    return { outcome: 'stored', itemId: made.entityId, folder: made.folder.slug, chunkCount, position };
  }
  const candidates = made.candidates.map(({ folder, match }) => ({ name: folder.name, slug: folder.slug, match }));
  const folders = made.folders.map(({ name }) => name);
  const { entityId: confirmationId, reason } = made;
  return { outcome: 'waiting', confirmationId, reason, candidates, folders, position };
};

/** The folders that an agent may see, in order of creation. */
const foldersInSight = async (pool: Pool, principal: Principal): Promise<NamedFolder[]> => {
  const { rows } = await pool.query<{ id: string; slug: string; name: string }>(
    `select f.id, f.slug, f.name from library.folders f where ${folderIsVisible('f', readerSql(1))} order by f.id`,
    [...folderReaderValues(readerOf(principal, 'mcp'))],
  );
  return rows;
};

/**
 * The answer to a command that was executed before, for a caller that may see its result. A question lists the folders
 * as they are now, and as this caller sees them.
 */
const rememberedBefore = async (
  pool: Pool,
  { principal, data }: ParsedRequest<CommandData<'item.remember'>>,
  entityId: string,
  position: number,
): Promise<RememberAnswer> => {
  const { rows: items } = await pool.query<{ folder: string; chunkCount: number }>(
    `select f.slug as folder, i.chunk_count as "chunkCount"
     from library.items i join library.folders f on f.id = i.folder_id where i.id = $1`,
    [entityId],
  );
  if (items[0]) {
    if (!(await isVisible(pool, principal, 'mcp', entityId))) throw keyReused(clientTokenIn(data, REMEMBER_TOOL));
    return { outcome: 'stored', itemId: entityId, ...items[0], position };
  }
  const { rows } = await pool.query('select 1 from library.confirmations where id = $1', [entityId]);
  if (!rows[0]) throw fail('projection.unavailable', 'this was carried out but cannot be read yet; try again');
  const folders = await foldersInSight(pool, principal);
  const resolution = resolveFolder(data.name ?? '', folders);
  const [reason, candidates] =
    resolution.kind === 'close' ? (['close', resolution.candidates] as const) : (['none', []] as const);
  return answerOf({ entityId, outcome: 'waiting', reason, candidates, folders }, 0, position);
};

const prepareRemember: Command<'item.remember'>['prepare'] = (request, context) => {
  const { principal, id: commandId, data } = request;
  const { text, label = null, kind, slug, name } = data;
  const { workspaceId } = principal;
  const { vault, ids } = context;
  const { item, keys } = sealItem(workspaceId, itemOf(label, text, kind), context);
  const payloadHash = context.secrets.payloadHash(workspaceId, JSON.stringify(['remember', text, slug, name]));
  const confirmationId = ids.next();
  const ownKeys = vault.mint(workspaceId, confirmationId, []);
  const sealWaiting = (candidates: Parameters<typeof sealWaitingText>[3]['candidates']): string => {
    const waiting = { suggestedName: name ?? '', label, text, candidates };
    return sealWaitingText(ownKeys.item, workspaceId, confirmationId, waiting).toString('base64');
  };
  let made: Remembered | undefined;
  return {
    needs: {
      folders: anyFolderOf(principal),
      ...(name !== undefined && { confirmations: { ids: [], open: true } }),
    },
    decide: (state, atMs) => {
      const memory = { item, payloadHash, kind, slug, name, confirmationId, sealWaiting };
      made = decideRemember(state, { commandId, principal, atMs, data: memory });
      return made;
    },
    beforeAppend: () =>
      made?.outcome === 'stored'
        ? vault.keep(workspaceId, item.itemId, keys)
        : vault.keep(workspaceId, confirmationId, ownKeys),
    answer: ({ entityId, position }) =>
      made?.entityId === entityId
        ? answerOf(made, item.chunks.length, position)
        : rememberedBefore(context.pool, request, entityId, position),
  };
};

export const rememberItem: Command<'item.remember'> = { clientTokenOf: REMEMBER_TOOL, prepare: prepareRemember };

type Resolve = ParsedRequest<CommandData<'confirmation.resolve'>>;

/** Opens the waiting text and seals it as an item; when decided again, the item is the same. */
const openingWith = ({ principal }: Resolve, keys: ItemKeys | undefined, context: PrepareContext) => {
  let sealed: Sealed | undefined;
  const open = ({ id, kind, sealed: waiting }: ConfirmationState): OpenedMemory => {
    if (!keys || waiting === null) throw fail('key.unavailable', 'the key of a waiting text is missing');
    const { workspaceId } = principal;
    const { suggestedName, label, text } = openWaitingText(keys.item, workspaceId, id, Buffer.from(waiting, 'base64'));
    sealed ??= sealItem(workspaceId, itemOf(label, text, kind), context);
    return { suggestedName, item: sealed.item };
  };
  return { open, sealed: () => sealed };
};

type Became = Pick<CommandResult<'confirmation.resolve'>, 'folderId' | 'itemId'>;

const became = async (pool: Pool, confirmationId: string): Promise<Became> => {
  const { rows } = await pool.query<Became>(
    'select folder_id as "folderId", item_id as "itemId" from library.confirmations where id = $1',
    [confirmationId],
  );
  if (!rows[0]) throw fail('projection.unavailable', 'this was decided but cannot be read yet; try again');
  return rows[0];
};

const becameBy = ({ events }: Decision): Became | undefined => {
  const [first] = events;
  if (first?.type !== 'confirmation.resolved') return undefined;
  return { folderId: first.data.folderId, itemId: first.data.storedItemId };
};

const prepareResolve: Command<'confirmation.resolve'>['prepare'] = async (request, context) => {
  const { principal, id: commandId, data: command } = request;
  const { workspaceId } = principal;
  const { confirmationId, action, folderId } = command;
  const { vault, ids } = context;
  const stores = action === 'use' || action === 'create';
  const { open, sealed } = openingWith(
    request,
    stores ? await vault.find(workspaceId, confirmationId) : undefined,
    context,
  );
  const newFolderId = ids.next();
  let made: Decision | undefined;
  return {
    needs: {
      confirmations: { ids: [confirmationId] },
      folders: { ids: folderId === undefined ? [] : [folderId], slugs: [], all: action === 'create' },
    },
    decide: (state, atMs) => {
      const data = { command, newFolderId, open };
      made = decideResolveConfirmation(state, { commandId, principal, atMs, data });
      return made;
    },
    beforeAppend: async () => {
      const item = sealed();
      if (item) await vault.keep(workspaceId, item.item.itemId, item.keys);
    },
    answer: async ({ entityId: id, position, isNew }) => {
      const known = isNew && made ? becameBy(made) : undefined;
      return { confirmationId: id, ...(known ?? (await became(context.pool, id))), position };
    },
  };
};

/** The decision stands even if this fails; the sweeper tries again. A text that can be restored keeps its key. */
const destroyKey = async (
  { principal, data: { confirmationId, action } }: Resolve,
  { vault, logger }: CommandServices,
): Promise<void> => {
  if (action === 'dismiss' || action === 'restore') return;
  await vault.destroy(principal.workspaceId, confirmationId).catch((thrown: unknown) => {
    logger.warn({ err: thrown, confirmationId }, 'the key of a decided confirmation is not destroyed yet');
  });
};

export const resolveConfirmation: Command<'confirmation.resolve'> = {
  prepare: prepareResolve,
  around: async (request, append, services) => {
    const result = await append();
    await destroyKey(request, services);
    return result;
  },
};
