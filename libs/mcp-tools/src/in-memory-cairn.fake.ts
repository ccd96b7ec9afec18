import {
  fail,
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

type Caller = Pick<Principal, 'workspaceId' | 'agentId'>;

const FOLDER_ID = '00000000-0000-4000-8000-00000000f01d';
const RRF_TOP = 1 / 61;

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

/** Cairn without a server: items in a map, words as search. Rules are those that the tools' tests lean on. */
export class InMemoryCairn {
  private readonly items = new Map<string, StoredItem>();
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
      'item.supersede': () => this.supersede(caller, data as CommandData<'item.supersede'>),
    };
    return this.run(type, handlers[type]) as Promise<CommandResult<T>>;
  }

  query<T extends QueryType>(caller: Caller, type: T, data: QueryData<T>): Promise<QueryAnswer<T>> {
    const handlers: Partial<Record<QueryType, () => unknown>> = {
      'chunks.search': () => this.searchChunks(caller, data as QueryData<'chunks.search'>),
      'items.search': () => this.searchItems(caller, data as QueryData<'items.search'>),
      'item.get': () => this.found(caller, (data as QueryData<'item.get'>).itemId),
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
    const id = uuidV7(this.clock);
    const chunkId = uuidV7(this.clock);
    const at = isoTime(this.clock);
    this.items.set(id, {
      ...rest,
      id,
      folderId,
      workspaceId: caller.workspaceId,
      source: { kind: rest.source.kind },
      createdByAgentId: caller.agentId,
      supersededById: null,
      links: taskRef ? [{ type: 'task_knowledge', ...taskRef }] : [],
      embeddingStatus: 'pending',
      createdAt: at,
      updatedAt: at,
      content: text,
      chunks: [{ id: chunkId, ordinal: 0, text }],
    });
    return { itemId: id, chunkIds: [chunkId], position: ++this.position };
  }

  private supersede(caller: Caller, { oldId, newId }: CommandData<'item.supersede'>): CommandResult<'item.supersede'> {
    const [oldItem, newItem] = [this.found(caller, oldId), this.found(caller, newId)];
    if (oldItem.createdByAgentId !== caller.agentId && newItem.createdByAgentId !== caller.agentId) {
      throw fail('knowledge.not_owner', 'the calling agent owns neither of the two entries');
    }
    if (oldId === newId || newItem.supersededById === oldId) throw fail('knowledge.cycle', 'that would close a circle');
    const supersededById = newItem.supersededById ?? newId;
    this.items.set(oldId, { ...oldItem, supersededById });
    return { oldId, newId, supersededById, position: ++this.position };
  }

  private found(caller: Caller, itemId: string): StoredItem {
    const item = this.items.get(itemId);
    if (item?.workspaceId !== caller.workspaceId) throw fail('item.not_found', 'there is no such item', { itemId });
    return item;
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
