import { AGENT_ITEM_CONFIDENCE, fail, type CommandData, type CommandResult } from '@cairn/contracts';
import {
  commitLinks,
  decideCommitItem,
  keyReused,
  linkingCommit,
  type CommitPart,
  type Committed,
} from '@cairn/domain';
import type { ParsedRequest } from '@cairn/messaging';
import { linkId } from '@cairn/projections';
import type { Pool } from 'pg';
import { clientTokenIn } from './client-token.js';
import { anyFolderOf, type Command, type PrepareContext } from './command.js';
import { commitEdges } from './commit-edges.js';
import { mergeNeeds, type Needs } from './needs.js';
import { sealItem, type Sealed } from './seal-item.js';
import { isVisible } from './visible-item.js';

const COMMIT_TOOL = 'commit_to_folio';

type CommitRequest = ParsedRequest<CommandData<'item.commit'>>;

/** A part of `extra` that is more than text: its events are appended together with those of the item. */
export interface CommitPartDefinition {
  readonly needs?: (request: CommitRequest) => Omit<Needs, 'commandIds' | 'folders'>;
  readonly prepare: (request: CommitRequest, sealed: Sealed, context: PrepareContext) => CommitPart;
}

const linksOf = ({ principal, data }: CommitRequest, itemId: string) =>
  commitLinks(data.extra, itemId, (link) => linkId(principal.workspaceId, link));

/** The commit is not stored yet, so only the targets of its links are loaded. */
const links: CommitPartDefinition = {
  needs: (request) => ({ links: { ids: [], itemIds: linksOf(request, '').map(({ toItemId }) => toItemId) } }),
  prepare: (request, { item }) => linkingCommit(linksOf(request, item.itemId)),
};

const PARTS: readonly CommitPartDefinition[] = [commitEdges, links];

/** A commit has no title of its own: readers derive it from the text, and it is forgotten with the text. */
const itemOf = ({ text }: CommandData<'item.commit'>): CommandData<'item.store'> => ({
  text,
  kind: 'commit',
  inKb: true,
  tags: [],
  source: { kind: 'agent' },
  surface: 'mcp',
  confidence: AGENT_ITEM_CONFIDENCE,
  expiresAt: null,
});

/** The answer to a command that was executed before, for a caller that may see its result. */
const committedBefore = async (
  pool: Pool,
  { principal, data }: CommitRequest,
  itemId: string,
  position: number,
): Promise<CommandResult<'item.commit'>> => {
  const { rows } = await pool.query<{ folderId: string; folderName: string; chunkCount: number }>(
    `select f.id as "folderId", f.name as "folderName", i.chunk_count as "chunkCount"
     from library.items i join library.folders f on f.id = i.folder_id where i.id = $1`,
    [itemId],
  );
  const [row] = rows;
  if (!row) throw fail('projection.unavailable', 'the commit is stored but cannot be read yet; try again', { itemId });
  if (!(await isVisible(pool, principal, 'mcp', itemId))) throw keyReused(clientTokenIn(data, COMMIT_TOOL));
  return { itemId, ...row, position };
};

const prepare: Command<'item.commit'>['prepare'] = (request, context) => {
  const { principal, id: commandId, data } = request;
  const { workspaceId } = principal;
  const sealed = sealItem(workspaceId, itemOf(data), context, { extra: data.extra });
  const { item, keys } = sealed;
  const parts = PARTS.map((part) => part.prepare(request, sealed, context));
  const { commandIds: _, ...needs } = mergeNeeds(PARTS.map((part) => ({ commandIds: [], ...part.needs?.(request) })));
  let made: Committed | undefined;
  return {
    needs: { ...needs, folders: anyFolderOf(principal) },
    decide: (state, atMs) => {
      made = decideCommitItem(state, {
        commandId,
        principal,
        atMs,
        data: { item, folderName: data.folderName, parts },
      });
      return made;
    },
    beforeAppend: () => context.vault.keep(workspaceId, item.itemId, keys),
    answer: ({ entityId: itemId, position }) => {
      if (made?.entityId !== itemId) return committedBefore(context.pool, request, itemId, position);
      const { id: folderId, name: folderName } = made.folder;
      return { itemId, folderId, folderName, chunkCount: item.chunks.length, position };
    },
  };
};

export const commitItem: Command<'item.commit'> = { clientTokenOf: COMMIT_TOOL, prepare };
