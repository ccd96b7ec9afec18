import {
  CORRECTION_LIFE_MS,
  fail,
  firstEmbeddingStatus,
  titleFrom,
  type CommandData,
  type CommandResult,
  type CommandType,
  type Explanation,
  type ItemDetail,
  type Principal,
  type QueryAnswer,
  type QueryData,
  type QueryType,
} from '@cairn/contracts';
import { isoTime, systemClock, uuidV7, type Clock } from '@cairn/kernel';
import type { CairnPort } from './cairn.port.js';

interface StoredItem extends ItemDetail {
  readonly workspaceId: string;
}

interface Correction extends Caller {
  readonly itemId: string;
  readonly base: string;
  readonly text: string;
  readonly expiresAtMs: number;
  applied?: CommandResult<'chunk.correct'>;
}

type Caller = Pick<Principal, 'workspaceId' | 'agentId'>;

const FOLDER_SLUG = 'inbox';
const FOLDER_ID = '00000000-0000-4000-8000-00000000f01d';
const RRF_TOP = 1 / 61;

/** Only the default folder has a name here. */
const graphOf = (folderId: string): string => (folderId === FOLDER_ID ? FOLDER_SLUG : folderId);

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));

/** The share of the query's words that stand in the text: naive, deterministic, good enough to order hits. */
const scoreOf = (text: string, query: string): number => {
  const wanted = [...wordsOf(query)];
  const there = wordsOf(text);
  return wanted.length === 0 ? 0 : wanted.filter((word) => there.has(word)).length / wanted.length;
};

const explanationOf = (score: number): Explanation => ({
  fusion: 'in-memory',
  legs: [{ leg: 'fulltext', rank: 1, rawScore: score, normalizedScore: score, weight: 1, contribution: score }],
});

const sourceOf = ({ kind, name, uri }: CommandData<'item.store'>['source']): ItemDetail['source'] => ({
  kind,
  ...(name === undefined ? {} : { name }),
  ...(uri === undefined ? {} : { uri }),
});

/** Cairn without a server: items in a map, words as search. Rules are those that the tools' tests lean on. */
export class InMemoryCairn {
  private readonly items = new Map<string, StoredItem>();
  private readonly corrections = new Map<string, Correction>();
  private position = 0;

  constructor(private readonly clock: Clock = systemClock) {}

  as(caller: Caller): CairnPort {
    return {
      command: (type, data) => this.command(caller, type, data),
      query: (type, data) => this.query(caller, type, data),
    };
  }

  command<T extends CommandType>(caller: Caller, type: T, data: CommandData<T>): Promise<CommandResult<T>> {
    const handlers: Partial<Record<CommandType, () => unknown>> = {
      'item.store': () => this.store(caller, data as CommandData<'item.store'>),
      'item.remember': () => this.remember(caller, data as CommandData<'item.remember'>),
      'item.update': () => this.update(caller, data as CommandData<'item.update'>),
      'chunk.propose': () => this.propose(caller, data as CommandData<'chunk.propose'>),
      'chunk.correct': () => this.correct(caller, data as CommandData<'chunk.correct'>),
      'item.forget': () => this.forget(caller, (data as CommandData<'item.forget'>).itemId),
      'chunk.forget': () => this.forgetChunk(caller, data as CommandData<'chunk.forget'>),
      'item.supersede': () => this.supersede(caller, data as CommandData<'item.supersede'>),
    };
    return this.run(type, handlers[type]) as Promise<CommandResult<T>>;
  }

  query<T extends QueryType>(caller: Caller, type: T, data: QueryData<T>): Promise<QueryAnswer<T>> {
    const handlers: Partial<Record<QueryType, () => unknown>> = {
      'chunks.search': () => this.searchChunks(caller, data as QueryData<'chunks.search'>),
      'items.search': () => this.searchItems(caller, data as QueryData<'items.search'>),
      'chunks.recall': () => this.recall(caller, data as QueryData<'chunks.recall'>),
      'stats.get': () => this.stats(caller),
      'item.get': () => this.get(caller, (data as QueryData<'item.get'>).itemId),
      'items.list': () => this.list(caller, data as QueryData<'items.list'>),
    };
    return this.run(type, handlers[type]) as Promise<QueryAnswer<T>>;
  }

  private async run(type: string, handler: (() => unknown) | undefined): Promise<unknown> {
    if (!handler) throw fail('internal.defect', `the in-memory adapter does not know ${type}`);
    return await handler();
  }

  private store(caller: Caller, data: CommandData<'item.store'>): CommandResult<'item.store'> {
    const { text, taskRef, clientToken: _, folderId = FOLDER_ID, ...rest } = data;
    if (rest.expiresAt !== null && Date.parse(rest.expiresAt) <= this.clock.now()) {
      throw fail('knowledge.expires_in_past', 'expiresAt must be strictly in the future', { field: 'expiresAt' });
    }
    const id = uuidV7(this.clock);
    const parts = [{ id: uuidV7(this.clock), ordinal: 0, text }];
    const at = isoTime(this.clock);
    this.items.set(id, {
      ...rest,
      title: rest.title ?? titleFrom(text),
      id,
      folderId,
      workspaceId: caller.workspaceId,
      source: sourceOf(rest.source),
      createdByAgentId: caller.agentId,
      superseded: false,
      supersededById: null,
      links: taskRef ? [{ type: 'task_knowledge', ...taskRef }] : [],
      embeddingStatus: firstEmbeddingStatus(rest.inKb),
      createdAt: at,
      updatedAt: at,
      content: text,
      chunks: rest.inKb ? parts : [],
    });
    return { itemId: id, chunkIds: parts.map((part) => part.id), position: ++this.position };
  }

  /** There is the default folder only; whatever else is named waits for a decision. */
  private remember(caller: Caller, data: CommandData<'item.remember'>): CommandResult<'item.remember'> {
    const { text, label, kind, name } = data;
    if (name !== undefined && name.toLowerCase() !== FOLDER_SLUG) {
      const confirmationId = uuidV7(this.clock);
      const waiting = { confirmationId, candidates: [], folders: ['Inbox'], position: ++this.position };
      return { outcome: 'waiting', reason: 'none', ...waiting };
    }
    const item = {
      inKb: true,
      tags: [],
      source: { kind: 'agent' as const },
      surface: 'mcp' as const,
      confidence: 80,
      expiresAt: null,
    };
    const { itemId, chunkIds, position } = this.store(caller, { ...item, title: label, text, kind });
    return { outcome: 'stored', itemId, folder: FOLDER_SLUG, chunkCount: chunkIds.length, position };
  }

  private update(caller: Caller, { itemId, ...change }: CommandData<'item.update'>): CommandResult<'item.update'> {
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    this.items.set(itemId, { ...this.found(caller, itemId), ...Object.fromEntries(given) });
    return { itemId, position: ++this.position };
  }

  private supersede(caller: Caller, { oldId, newId }: CommandData<'item.supersede'>): CommandResult<'item.supersede'> {
    const [oldItem, newItem] = [this.found(caller, oldId), this.found(caller, newId)];
    if (oldItem.createdByAgentId !== caller.agentId && newItem.createdByAgentId !== caller.agentId) {
      throw fail('knowledge.not_owner', 'the calling agent owns neither of the two entries');
    }
    if (oldId === newId || newItem.supersededById === oldId) throw fail('knowledge.cycle', 'that would close a circle');
    const supersededById = newItem.supersededById ?? newId;
    this.items.set(oldId, { ...oldItem, superseded: true, supersededById });
    return { oldId, newId, supersededById, position: ++this.position };
  }

  /** The instruction is taken for the new text where none is given. */
  private propose(caller: Caller, { chunkId, instruction, newText = instruction }: CommandData<'chunk.propose'>) {
    const item = [...this.items.values()].find(
      ({ workspaceId, chunks }) => workspaceId === caller.workspaceId && chunks[0]!.id === chunkId,
    );
    if (!item) throw fail('chunk.not_found', 'there is no such chunk', { field: 'chunkId' });
    const correctionId = uuidV7(this.clock);
    const expiresAtMs = this.clock.now() + CORRECTION_LIFE_MS;
    const { workspaceId, agentId } = caller;
    const base = item.content;
    this.corrections.set(correctionId, { workspaceId, agentId, itemId: item.id, base, text: newText, expiresAtMs });
    const expiresAt = new Date(expiresAtMs).toISOString();
    return { correctionId, chunkId, originalText: base, proposedText: newText, expiresAt };
  }

  private correct(caller: Caller, { correctionId }: CommandData<'chunk.correct'>): CommandResult<'chunk.correct'> {
    const correction = this.corrections.get(correctionId);
    if (correction?.workspaceId !== caller.workspaceId || correction.agentId !== caller.agentId)
      throw fail('correction.not_found', 'there is no such correction', { field: 'correctionId' });
    if (correction.applied) return correction.applied;
    if (this.clock.now() >= correction.expiresAtMs) throw fail('correction.expired', 'this correction is too old');
    const item = this.found(caller, correction.itemId);
    if (item.content !== correction.base) throw fail('correction.stale', 'the text has changed since');
    const [chunk] = item.chunks;
    this.items.set(item.id, { ...item, content: correction.text, chunks: [{ ...chunk!, text: correction.text }] });
    const opId = uuidV7(this.clock);
    correction.applied = { chunkId: chunk!.id, opId, isEmbedded: true, position: ++this.position };
    return correction.applied;
  }

  private forget(caller: Caller, itemId: string): CommandResult<'item.forget'> {
    const { chunks } = this.found(caller, itemId);
    this.items.delete(itemId);
    const receiptId = uuidV7(this.clock);
    return { deleted: true, chunksRemoved: chunks.length, sourceRemoved: true, receiptId, position: ++this.position };
  }

  /** Every item has one chunk here. */
  private forgetChunk(caller: Caller, { chunkId, itemId }: CommandData<'chunk.forget'>): CommandResult<'chunk.forget'> {
    const item = [...this.items.values()].find(({ chunks }) => chunks[0]!.id === chunkId);
    if (item?.workspaceId !== caller.workspaceId || (itemId ?? item.id) !== item.id)
      throw fail('chunk.not_found', 'there is no such chunk', { field: 'chunkId' });
    return this.forget(caller, item.id);
  }

  private found(caller: Caller, itemId: string): StoredItem {
    const item = this.items.get(itemId);
    if (item?.workspaceId !== caller.workspaceId)
      throw fail('item.not_found', 'there is no such item', { field: 'id' });
    return item;
  }

  private get(caller: Caller, id: string): StoredItem {
    const owner = [...this.items.values()].find(({ chunks }) => chunks.some((chunk) => chunk.id === id));
    if (owner?.workspaceId !== caller.workspaceId) return this.found(caller, id);
    throw fail('item.not_found', 'there is no such item', { field: 'id', chunkOf: owner.id });
  }

  private list(caller: Caller, { limit, cursor }: QueryData<'items.list'>): QueryAnswer<'items.list'> {
    const all = [...this.items.values()].filter((item) => item.workspaceId === caller.workspaceId).reverse();
    const from = cursor ? all.findIndex((item) => item.id === cursor) + 1 : 0;
    const items = all.slice(from, from + limit);
    const last = items.at(-1);
    return { items, nextCursor: last && from + limit < all.length ? last.id : null };
  }

  private ranked(caller: Caller, query: string): { item: StoredItem; score: number }[] {
    return [...this.items.values()]
      .filter((item) => item.workspaceId === caller.workspaceId && item.inKb)
      .map((item) => ({ item, score: scoreOf(`${item.title} ${item.content}`, query) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
  }

  private searchChunks(caller: Caller, data: QueryData<'chunks.search'>): QueryAnswer<'chunks.search'> {
    const hits = this.ranked(caller, data.query)
      .slice(0, data.limit)
      .map(({ item, score }) => ({
        chunkId: item.chunks[0]!.id,
        itemId: item.id,
        folderId: item.folderId,
        title: item.title,
        text: item.content,
        score,
        ...(data.explain ? { explain: explanationOf(score) } : {}),
      }));
    return { hits, degraded: false, stale: false };
  }

  private recall(caller: Caller, data: QueryData<'chunks.recall'>): QueryAnswer<'chunks.recall'> {
    const isAsked = ({ folderId }: StoredItem): boolean => data.graphs?.includes(graphOf(folderId)) ?? true;
    const results = this.ranked(caller, data.query)
      .filter(({ item, score }) => isAsked(item) && score >= data.minScore)
      .slice(0, data.topK)
      .map(({ item, score }) => ({
        chunkId: item.chunks[0]!.id,
        itemId: item.id,
        folderId: item.folderId,
        graph: graphOf(item.folderId),
        text: item.content,
        score,
        sourceName: item.source.name ?? item.title,
        updatedAt: item.updatedAt,
        tokens: wordsOf(item.content).size,
        ...(data.explain ? { explain: explanationOf(score) } : {}),
      }));
    const names = (data.graphs ?? []).filter((name) => name !== FOLDER_SLUG);
    const unknownGraphs = { names, available: [{ folderId: FOLDER_ID, slug: FOLDER_SLUG }] };
    return { results, truncated: false, ...(names.length > 0 && { unknownGraphs }) };
  }

  private stats({ workspaceId }: Caller): QueryAnswer<'stats.get'> {
    const items = [...this.items.values()].filter((item) => item.workspaceId === workspaceId && item.inKb);
    const folders = Map.groupBy(items, ({ folderId }) => folderId);
    return {
      workspaceSlug: 'main',
      folders: [...folders].map(([folderId, held]) => ({
        folderId,
        slug: graphOf(folderId),
        tier: 'personal',
        readme: '',
        items: held.length,
        chunks: held.length,
        tokens: held.reduce((sum, { content }) => sum + wordsOf(content).size, 0),
      })),
      embeddingModel: 'in-memory',
      databaseBytes: items.length,
    };
  }

  private searchItems(caller: Caller, data: QueryData<'items.search'>): QueryAnswer<'items.search'> {
    const isLive = (item: StoredItem): boolean =>
      (data.includeSuperseded || item.supersededById === null) &&
      (data.includeExpired || item.expiresAt === null || Date.parse(item.expiresAt) > this.clock.now());
    const hits = this.ranked(caller, data.query)
      .filter(({ item, score }) => isLive(item) && score >= data.minScore)
      .filter(({ item }) => data.tags.every((tag) => item.tags.includes(tag)))
      .slice(0, data.limit)
      .map(({ item, score }) => ({
        itemId: item.id,
        folderId: item.folderId,
        title: item.title,
        text: item.content,
        hasWords: true,
        score,
        rawScore: score * RRF_TOP,
        tags: item.tags,
        confidence: item.confidence,
        createdByAgentId: item.createdByAgentId,
        supersededById: item.supersededById,
        expiresAt: item.expiresAt,
        ...(data.explain ? { explain: explanationOf(score) } : {}),
      }));
    return { hits, degraded: false, stale: false };
  }
}
