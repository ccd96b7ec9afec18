import { randomUUID } from 'node:crypto';
import type { Scope } from '@cairn/contracts';
import { TOOLS } from '@cairn/mcp-tools';
import { EventFollower } from './follow-events.js';
import type { Target, World } from './scope-world.js';
import { BARE_CALLS, rest, rpc, underTest } from './under-test.js';

export interface Answer {
  readonly status: number;
  readonly body: any;
}

export interface Asked {
  readonly answer: Answer;
  /** What a call that went well has given; undefined of a refusal. */
  readonly content: any;
}

/** One way to speak of a target, and whether the answer shows it; by default, whether there is an answer at all. */
export interface Call<I> {
  readonly input: (target: Target, world: World) => I | Promise<I>;
  readonly shows?: (answer: any, target: Target) => boolean;
}

/** `nothing`: neither the arguments nor the answer can speak of what others have. */
export type Row<I> = readonly Call<I>[] | { readonly nothing: (world: World) => I };

const hitsItem = (answer: any, { itemId }: Target): boolean =>
  answer.hits.some((hit: any) => (hit.itemId ?? hit.id) === itemId);
const listsItem = (answer: any, { itemId }: Target): boolean => answer.items.some((item: any) => item.id === itemId);

const isOwn = (target: Target, { targets }: World): boolean => target === targets['own folder'];
const itemToForget = (target: Target, world: World): string | Promise<string> =>
  isOwn(target, world) ? world.spare() : target.itemId;
const chunkToForget = async (target: Target, world: World): Promise<string> =>
  isOwn(target, world)
    ? (await rest(world.reader, 'GET', `/items/${await world.spare()}`)).body.chunks[0].id
    : target.chunkId;

/** Arguments of every tool; a tool without a row here fails the suite. */
export const TOOL_ROWS: Readonly<Record<string, Row<object>>> = {
  // By the folder's name; what its texts mean is in recall.e2e.spec.ts.
  recall: [
    {
      input: ({ folderName }) => ({ query: 'a note', graphs: [folderName], minScore: 0 }),
      shows: (answer, { itemId }) => answer.results.some(({ sourceId }: any) => sourceId === itemId),
    },
  ],
  stats: [
    {
      input: () => ({}),
      shows: (answer, { folderName }) => answer.graphs.some(({ name }: any) => name === folderName),
    },
  ],
  remember: [
    { input: ({ folderName }) => ({ text: 'A memory.', graphId: folderName }) },
    { input: ({ word }) => ({ text: 'A memory.', target_engram: word }) },
  ],
  correct: [{ input: ({ chunkId }) => ({ chunkId, proposal: 'replace note with letter' }) }],
  // Proposed by the same agent, where its token could see it.
  apply: [{ input: ({ correctionId }) => ({ correctionId }) }],
  // What is the caller's own is there once only, so it is an item of its own each time.
  forget: [
    {
      input: async (target, world) => ({ sourceId: await itemToForget(target, world) }),
      shows: ({ deleted }) => deleted,
    },
    {
      input: async (target, world) => ({ chunkId: await chunkToForget(target, world) }),
      shows: ({ deleted }) => deleted,
    },
  ],
  get_item: [
    { input: ({ itemId }) => ({ item_id: itemId }) },
    { input: ({ itemId }) => ({ item_id: `drobek://knowledge/${itemId}` }) },
  ],
  list_recent: [{ input: () => ({}), shows: listsItem }],
  // By meaning, scores depend on the words of the query and not on what is hidden: scope-corpus.e2e.spec.ts has those.
  search_knowledge_base: [{ input: ({ word }) => ({ query: word, mode: 'keyword', explain: true }), shows: hitsItem }],
  search_knowledge: [{ input: ({ word }) => ({ query: word, includeSuperseded: true }), shows: hitsItem }],
  store_knowledge: { nothing: () => ({ title: 'New', body: 'A new note.' }) },
  add_to_knowledge: [
    {
      input: ({ folderId }) => ({ kind: 'text', text: 'A text of more than twenty characters.', folder_id: folderId }),
    },
  ],
  supersede_knowledge: [
    { input: async ({ itemId }, { spare }) => ({ oldId: itemId, newId: await spare() }) },
    { input: async ({ itemId }, { spare }) => ({ oldId: await spare(), newId: itemId }) },
  ],
};

export interface RestInput {
  readonly path: string;
  readonly body?: object;
}

const at = (path: string, body?: object): RestInput => ({ path, ...(body ? { body } : {}) });
const slug = (): string => `m-${randomUUID().slice(0, 8)}`;

/** Paths and bodies of every route; a route without a row here fails the suite. */
export const ROUTE_ROWS: Readonly<Record<string, Row<RestInput>>> = {
  'POST /workspaces': { nothing: () => at('/workspaces', { slug: slug(), name: 'Matrix' }) },
  'GET /workspaces': { nothing: () => at('/workspaces') },
  'POST /folders': { nothing: () => at('/folders', { slug: slug(), name: 'Matrix' }) },
  'GET /folders': [
    {
      input: () => at('/folders?limit=100'),
      shows: (answer, { folderId }) => answer.items.some((folder: any) => folder.id === folderId),
    },
  ],
  'GET /folders/{id}': [{ input: ({ folderId }) => at(`/folders/${folderId}`) }],
  'PATCH /folders/{id}': [{ input: ({ folderId }) => at(`/folders/${folderId}`, { name: 'Renamed' }) }],
  'POST /tokens': [{ input: ({ folderId }) => at('/tokens', { name: 't', scopes: ['read'], folderIds: [folderId] }) }],
  'GET /tokens': [
    {
      input: () => at('/tokens?limit=100'),
      shows: (answer, { tokenId }) => answer.items.some((token: any) => token.id === tokenId),
    },
  ],
  'DELETE /tokens/{id}': [{ input: ({ tokenId }) => at(`/tokens/${tokenId}`) }],
  'POST /items': [{ input: ({ folderId }) => at('/items', { title: 't', text: 'x', folderId }) }],
  'GET /items': [
    { input: () => at('/items?limit=100'), shows: listsItem },
    { input: ({ folderId }) => at(`/items?folderId=${folderId}`), shows: listsItem },
  ],
  'GET /items/{id}': [{ input: ({ itemId }) => at(`/items/${itemId}`) }],
  'PATCH /items/{id}': [
    { input: ({ itemId }) => at(`/items/${itemId}`, { title: 'Renamed' }) },
    { input: async ({ folderId }, { spare }) => at(`/items/${await spare()}`, { folderId }) },
  ],
  'DELETE /items/{id}': [{ input: async (target, world) => at(`/items/${await itemToForget(target, world)}`) }],
  'DELETE /chunks/{id}': [{ input: async (target, world) => at(`/chunks/${await chunkToForget(target, world)}`) }],
  'GET /receipts/key': { nothing: () => at('/receipts/key') },
  'GET /receipts/{id}': [{ input: ({ receiptId }) => at(`/receipts/${receiptId}`) }],
  'GET /ops': [
    { input: ({ itemId }) => at(`/ops?itemId=${itemId}`), shows: (answer) => answer.items.length > 0 },
    {
      input: () => at('/ops?limit=100'),
      shows: (answer, { opId }) => answer.items.some((op: any) => op.id === opId),
    },
  ],
  'GET /ops/{id}': [{ input: ({ opId }) => at(`/ops/${opId}`) }],
  'GET /confirmations': [
    {
      input: () => at('/confirmations?status=pending&limit=100'),
      shows: (answer, { confirmationId }) => answer.items.some((waiting: any) => waiting.id === confirmationId),
    },
  ],
  'POST /confirmations/{id}': [
    { input: ({ confirmationId }) => at(`/confirmations/${confirmationId}`, { action: 'dismiss' }) },
  ],
  'POST /sign-in-codes': { nothing: () => at('/sign-in-codes', {}) },
  'GET /whoami': { nothing: () => at('/whoami') },
  'GET /clients': { nothing: () => at('/clients') },
  'GET /events': { nothing: () => at('/events') },
  'GET /projections': { nothing: () => at('/projections') },
  'GET /status': { nothing: () => at('/status') },
  'GET /quotas': { nothing: () => at('/quotas') },
  'PUT /quotas/knowledge_stored': { nothing: () => at('/quotas/knowledge_stored', { limit: null }) },
};

/** Routes without a caller: they know nothing of workspaces, folders or scopes, so they have nothing to hide from a caller. */
export const OPEN_ROUTES: readonly string[] = ['POST /sign-in'];

export interface ProductRoute {
  readonly method: string;
  readonly path: string;
  readonly access: Scope | 'instance admin' | 'anybody';
}

const accessOf = ({ description, security }: any): ProductRoute['access'] => {
  if (security.length === 0) return 'anybody';
  return (/^Needs: scope ([a-z:]+)\./.exec(description)?.[1] ?? 'instance admin') as ProductRoute['access'];
};

/** The route table of the running product, as its own document gives it. */
export const productRoutes = async (): Promise<ProductRoute[]> => {
  const document: any = await (await fetch(`${underTest.url}/api/v1/openapi.json`)).json();
  return Object.entries<Record<string, any>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replace('/api/v1', ''),
      access: accessOf(operation),
    })),
  );
};

export const productTools = async (): Promise<string[]> => {
  const { body } = await rpc(underTest.token, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  return body.result.tools.map(({ name }: { name: string }) => name);
};

export const scopeOf = (tool: string): Scope => TOOLS.find(({ name }) => name === tool)!.scope;

/**
 * An answer as text, without what may differ: the correlation id, and what the caller has sent itself (the error
 * repeats a URI, for example).
 */
export const canonical = ({ status, body }: Answer, target: Target): string =>
  // Longest first: one value that was sent may begin with another.
  (Object.values(target) as string[])
    .sort((a, b) => b.length - a.length)
    .reduce(
      (text, sent) => text.replaceAll(sent, '<sent>'),
      `${status} ${JSON.stringify(body)}`.replace(/((?:correlation|confirmation)Id\W{1,3})[0-9a-f-]{36}/g, '$1<id>'),
    );

export const askTool = async (era: string, token: string, name: string, args: object): Promise<Asked> => {
  const answer = await BARE_CALLS[era]!(token, name, args);
  const { result } = answer.body;
  return { answer, content: result && !result.isError ? result.structuredContent : undefined };
};

/** The beginning of a stream is its answer. */
const askEvents = async (token: string): Promise<Asked> => {
  const follower = await EventFollower.open(token);
  await follower.close();
  const { status } = follower.response;
  return { answer: { status, body: '' }, content: status < 300 ? {} : undefined };
};

export const askRoute = async (token: string, method: string, { path, body }: RestInput): Promise<Asked> => {
  if (path === '/events') return askEvents(token);
  const answer = await rest(token, method, path, body);
  return { answer, content: answer.status < 300 ? (answer.body ?? {}) : undefined };
};
