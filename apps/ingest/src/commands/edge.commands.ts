import { notFound, readerOf, readerSql, readerValues, itemIsVisible } from '@cairn/access';
import {
  AGENT_ITEM_CONFIDENCE,
  fail,
  type CommandData,
  type CommandResult,
  type NewEdge,
  type Principal,
  type Surface,
} from '@cairn/contracts';
import {
  chunkText,
  decideObserveChunk,
  decideObserveText,
  decideReviewEdge,
  keyReused,
  originOf,
  stateEdges,
  type ChunkStatement,
  type SealedFindings,
} from '@cairn/domain';
import { entityKey } from '@cairn/graph';
import { uuidV8 } from '@cairn/kernel';
import type { ParsedRequest } from '@cairn/messaging';
import { readRows } from '@cairn/persistence';
import { edgeRef, openText, sealFindings, type Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import { anyFolderOf, at, type Command, type PrepareContext } from './command.js';
import { sealItem } from './seal-item.js';
import { isVisible } from './visible-item.js';

type Observe = ParsedRequest<CommandData<'edge.observe'>>;
type Observed = CommandResult<'edge.observe'>;

/** A decrypted chunk that edges may be anchored in. */
export interface OpenChunk {
  readonly chunkId: string;
  readonly text: string;
  readonly textHash: string;
  readonly key: Uint8Array;
}

/** The edges of a request, each with its chunk: sealed for the log, with the ids that the answer contains. */
export interface SealedStatement {
  readonly parts: readonly SealedFindings[];
  /** In the order of the request. */
  readonly edgeIds: readonly string[];
  /** The chunk of the first edge. */
  readonly chunkId: string;
}

const idOf = (key: Uint8Array, { subject, predicate, object }: NewEdge): string =>
  uuidV8(edgeRef(key, { subjectKey: entityKey(subject)!, predicate, objectKey: entityKey(object)! }));

/** Seals the statements about some chunks; no plaintext is left. */
export const sealStatements = (
  workspaceId: string,
  edges: readonly NewEdge[],
  chunks: readonly OpenChunk[],
  statements: readonly ChunkStatement[],
): SealedStatement => {
  const edgeIds: string[] = [];
  let chunkId = '';
  const parts = statements.map((statement): SealedFindings => {
    const chunk = chunks.find((one) => one.chunkId === statement.chunkId)!;
    for (const i of statement.edges) edgeIds[i] = idOf(chunk.key, edges[i]!);
    if (statement.edges.includes(0)) chunkId = statement.chunkId;
    const findings = sealFindings(chunk.key, workspaceId, chunk.chunkId, statement.findings).toString('base64');
    return { chunkId: chunk.chunkId, textHash: chunk.textHash, findings };
  });
  return { parts, edgeIds, chunkId };
};

interface ChunkRow {
  readonly chunkId: string;
  readonly itemId: string;
  readonly text: Buffer;
  readonly textHash: string;
  readonly wrappedKey: Buffer;
}

const BODIES = `
select b.chunk_id as "chunkId", b.item_id as "itemId", b.text, encode(b.text_hash, 'hex') as "textHash",
       b.wrapped_key as "wrappedKey"
  from library.bodies b
  join library.items i on i.id = b.item_id
  join library.folders f on f.id = i.folder_id
  where (${itemIsVisible('i', 'f', readerSql(2))}) is true`;

const openChunk = (vault: Vault, workspaceId: string, row: ChunkRow): OpenChunk => {
  const { chunkId, textHash } = row;
  const key = vault.unwrap(workspaceId, chunkId, row.wrappedKey);
  return { chunkId, textHash, key, text: openText(key, workspaceId, chunkId, row.text) };
};

const visibleChunks = (
  pool: Pool,
  principal: Principal,
  surface: Surface,
  column: 'b.chunk_id' | 'b.item_id',
  id: string,
): Promise<ChunkRow[]> => {
  const values = [id, ...readerValues(readerOf(principal, surface))];
  return readRows<ChunkRow & Record<string, unknown>>(pool, `${BODIES} and ${column} = $1 order by b.ordinal`, values);
};

/** For an existing chunk: when the command is decided, its text must still be the one that was read here. */
const prepareChunk = async (request: Observe, chunkId: string, { pool, vault }: PrepareContext) => {
  const { principal, data } = request;
  const { edges, surface } = data;
  const [row] = await visibleChunks(pool, principal, surface, 'b.chunk_id', chunkId);
  if (!row) throw notFound('chunk', { field: 'chunkId' });
  const chunk = openChunk(vault, principal.workspaceId, row);
  const origin = originOf(principal, surface);
  const { parts, edgeIds } = sealStatements(principal.workspaceId, edges, [chunk], stateEdges(edges, [chunk], origin));
  const { itemId } = row;
  return {
    needs: { itemIds: [itemId], chunksOf: [itemId], folders: anyFolderOf(principal) },
    decide: (state: Parameters<typeof decideObserveChunk>[0], atMs: number) =>
      decideObserveChunk(state, { ...at(request, atMs), data: { itemId, surface, origin, parts } }),
    answer: ({ position }: { readonly position: number }): Observed => ({
      itemId,
      chunkId,
      edgeIds: [...edgeIds],
      position,
    }),
  };
};

/** The answer of an earlier command: its ids are derived from the keys of the item that it stored. */
const observedBefore = async (
  { principal, data }: Observe,
  itemId: string,
  position: number,
  { pool, vault }: PrepareContext,
): Promise<Observed> => {
  const { surface, edges } = data;
  const { workspaceId } = principal;
  if (!(await isVisible(pool, principal, surface, itemId))) throw keyReused();
  const rows = await visibleChunks(pool, principal, surface, 'b.item_id', itemId);
  const chunks = rows.map((row) => openChunk(vault, workspaceId, row));
  const statements = stateEdges(edges, chunks, 'human');
  const { edgeIds, chunkId } = sealStatements(workspaceId, edges, chunks, statements);
  if (chunkId === '') throw fail('projection.unavailable', 'the edges are stored but cannot be read yet; try again');
  return { itemId, chunkId, edgeIds: [...edgeIds], position };
};

/** A statement by a person or an agent is an ordinary item: it can be found, corrected and forgotten. */
const itemOf = ({ data, principal }: Observe, text: string): CommandData<'item.store'> => {
  const { folderId, surface } = data;
  const isPerson = originOf(principal, surface) === 'human';
  return {
    text,
    kind: 'clip',
    inKb: true,
    tags: [],
    source: { kind: isPerson ? 'human' : 'agent' },
    surface,
    confidence: isPerson ? 100 : AGENT_ITEM_CONFIDENCE,
    expiresAt: null,
    ...(folderId !== undefined && { folderId }),
  };
};

const prepareText = (request: Observe, text: string, context: PrepareContext) => {
  const { principal, data } = request;
  const { edges, surface, folderId } = data;
  const { workspaceId } = principal;
  const { item, keys } = sealItem(workspaceId, itemOf(request, text), context);
  const texts = chunkText(text);
  const chunks = item.chunks.map(({ chunkId, textHash }, i): OpenChunk => ({
    chunkId,
    textHash,
    text: texts[i]!.text,
    key: keys.chunks.get(chunkId)!,
  }));
  const origin = originOf(principal, surface);
  const sealed = sealStatements(workspaceId, edges, chunks, stateEdges(edges, chunks, origin));
  return {
    needs: { folders: { ids: folderId === undefined ? principal.folderIds : [folderId], slugs: [] } },
    decide: (state: Parameters<typeof decideObserveText>[0], atMs: number) =>
      decideObserveText(state, { ...at(request, atMs), data: { item, origin, parts: sealed.parts } }),
    beforeAppend: () => context.vault.keep(workspaceId, item.itemId, keys),
    answer: ({
      entityId: itemId,
      position,
      isNew,
    }: {
      readonly entityId: string;
      readonly position: number;
      readonly isNew: boolean;
    }) =>
      isNew
        ? { itemId, chunkId: sealed.chunkId, edgeIds: [...sealed.edgeIds], position }
        : observedBefore(request, itemId, position, context),
  };
};

export const observeEdges: Command<'edge.observe'> = {
  prepare: (request, context) => {
    const { chunkId, text } = request.data;
    return chunkId === undefined ? prepareText(request, text!, context) : prepareChunk(request, chunkId, context);
  },
};

export const reviewEdge: Command<'edge.review'> = {
  generatedFields: ['evidence'],
  prepare: (request) => {
    const { edgeId: id, verdict, evidence } = request.data;
    return {
      needs: { itemIds: [...new Set(evidence.map(({ itemId }) => itemId))] },
      decide: (state, atMs) => decideReviewEdge(state, at(request, atMs)),
      answer: ({ position }) => ({ id, verdict, position }),
    };
  },
};
