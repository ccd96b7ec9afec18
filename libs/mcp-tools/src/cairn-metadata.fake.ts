import { entityKey } from '@cairn/graph';
import { notFound, readerOf, type Reader } from '@cairn/access';
import {
  METADATA_TOTAL_MAX,
  type ItemFilter,
  type ItemSummary,
  type QueryAnswer,
  type QueryData,
} from '@cairn/contracts';
import type { QueryContext } from './cairn-answer.fake.js';
import { meshUriIn, summaryOf } from './cairn-queries.fake.js';
import { found } from './cairn-search.fake.js';

export const searchSemantic = (
  context: QueryContext,
  { query, limit, minSimilarity }: QueryData<'chunks.semantic'>,
): QueryAnswer<'chunks.semantic'> => {
  const { workspace, principal } = context;
  const near = found(context, query);
  const hits = near
    .filter(({ score }) => score >= minSimilarity)
    .slice(0, limit)
    .map(({ item, chunk, score: similarity }) => {
      const { title, folderId, source, createdAt } = summaryOf(workspace, readerOf(principal, 'mcp'), item);
      const folderName = workspace.folders.get(folderId)!.name;
      const position = workspace.items.get(item.id)!.position;
      const provenance = { source, folderName, agentId: item.createdByAgentId, createdAt, position };
      return {
        chunkId: chunk.chunkId,
        itemId: item.id,
        folderId,
        title,
        text: chunk.text,
        similarity,
        provenance,
        meshUri: meshUriIn(workspace, item.id),
      };
    });
  return { hits, model: 'in-memory', best: near[0]?.score ?? null, stale: false };
};

const isMatch = ({ folderId, from, to, tags = [], kind, source }: ItemFilter, item: ItemSummary): boolean => {
  const at = Date.parse(item.createdAt);
  const wanted = source?.toLowerCase();
  return (
    (folderId === undefined || item.folderId === folderId) &&
    (from === undefined || at >= Date.parse(from)) &&
    (to === undefined || at < Date.parse(to)) &&
    tags.every((tag) => item.tags.includes(tag)) &&
    (kind === undefined || item.kind === kind) &&
    (wanted === undefined || [item.source.kind, item.source.name?.toLowerCase()].includes(wanted))
  );
};

const alone = ({ from, to, ...others }: ItemFilter): readonly (readonly [string, ItemFilter])[] => [
  ...Object.entries(others)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, { [name]: value }] as const),
  ...(from === undefined && to === undefined ? [] : [['date', { from, to }] as const]),
];

const isMentioned = (
  { workspace }: QueryContext,
  reader: Reader,
  entityName: string | undefined,
  itemId: string,
): boolean =>
  entityName === undefined ||
  workspace.graph
    .visible(workspace.visibleItems(reader))
    .some(
      (statement) =>
        statement.itemId === itemId &&
        statement.findings.mentions.some(({ name }) => entityKey(name) === entityKey(entityName)),
    );

const newestFirst = ({ workspace }: QueryContext, reader: Reader): ItemSummary[] =>
  workspace
    .visibleItems(reader)
    .map((item) => summaryOf(workspace, reader, item))
    .reverse();

export const queryItems = (
  context: QueryContext,
  { limit, ...filter }: QueryData<'items.query'>,
): QueryAnswer<'items.query'> => {
  const reader = readerOf(context.principal, 'mcp');
  const { folderId } = filter;
  if (folderId !== undefined && !context.workspace.visibleFolders(reader).some(({ id }) => id === folderId))
    throw notFound('folder', { field: 'folderId' });
  const all = newestFirst(context, reader);
  const counted = (one: ItemFilter) =>
    all
      .filter((item) => isMatch(one, item) && isMentioned(context, reader, one.entityName, item.id))
      .slice(0, METADATA_TOTAL_MAX);
  const matching = counted(filter);
  const isEmpty = matching.length === 0 && reader.folderIds?.length !== 0;
  const items = matching
    .slice(0, limit)
    .map(({ id, folderId: folder, title, inKb, kind, tags, source, superseded, createdAt }) => ({
      id,
      folderId: folder,
      title,
      inKb,
      kind,
      tags,
      source,
      superseded,
      createdAt,
    }));
  const matched = isEmpty ? alone(filter).map(([name, one]) => [name, counted(one).length] as const) : [];
  return { items, total: matching.length, truncated: false, matched: Object.fromEntries(matched) };
};
