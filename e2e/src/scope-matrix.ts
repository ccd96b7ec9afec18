import { randomUUID } from 'node:crypto';
import type { Scope } from '@cairn/contracts';
import { TOOLS } from '@cairn/mcp-tools';
import { EventFollower } from './follow-events.js';
import { newLink, newStatement, type Target, type World } from './scope-world.js';
import { BARE_CALLS, rest, rpc, underTest, upload } from './under-test.js';

export interface Answer {
  readonly status: number;
  readonly body: any;
}

export interface Asked {
  readonly answer: Answer;
  /** The answer of a successful call; undefined for an error. */
  readonly content: any;
}

/** One way to refer to a target, and whether the answer shows it; by default, whether there is an answer at all. */
export interface Call<I> {
  readonly input: (target: Target, world: World) => I | Promise<I>;
  readonly shows?: (answer: any, target: Target) => boolean;
}

/** `nothing`: neither the arguments nor the answer can refer to data of others. */
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

/** Stated by an item of the caller's own, a new one each time, with unique names. */
const ownStatement = async (world: World) => {
  const [{ id: chunkId }] = (await rest(world.reader, 'GET', `/items/${await world.spare()}`)).body.chunks;
  return newStatement(world.admin, chunkId, `spare ${randomUUID()}`);
};

/** The text of every target, except for its word. */
const NOTE = 'A note that speaks of something';

/** The target of a hit of a graph tool. */
const hasMemory = (list: readonly any[], { itemId }: Target): boolean =>
  list.some(({ memory_id }) => memory_id === itemId);

/** Arguments of every tool; a tool without a row here fails the suite. */
export const TOOL_ROWS: Readonly<Record<string, Row<object>>> = {
  // By the folder's name; recall.e2e.spec.ts covers recall by meaning.
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
  // Proposed by the same agent, if its token could see it.
  apply: [{ input: ({ correctionId }) => ({ correctionId }) }],
  // The call uses the target up, so each call gets a new item.
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
  // By the category of a row, which no other target has.
  carabase_query_timeseries: [
    {
      input: () => ({
        source: 'tidal',
        metric: 'plays',
        group_by: 'artist',
        range: { from: '2026-01-01', to: '2026-02-01' },
      }),
      shows: (answer, { word }) => answer.rows.some(({ bucket }: any) => bucket === word),
    },
  ],
  get_item: [
    { input: ({ itemId }) => ({ item_id: itemId }) },
    { input: ({ itemId }) => ({ item_id: `drobek://knowledge/${itemId}` }) },
  ],
  list_recent: [{ input: () => ({}), shows: listsItem }],
  // By meaning, scores depend on the words of the query and not on hidden items: scope-corpus.e2e.spec.ts covers that.
  search_knowledge_base: [{ input: ({ word }) => ({ query: word, mode: 'keyword', explain: true }), shows: hitsItem }],
  // The same words each time: by meaning, the caller's own item is found for any query.
  search_knowledge: [{ input: () => ({ query: NOTE, includeSuperseded: true, limit: 50 }), shows: hitsItem }],
  // The twin world of the graph tools compares whole answers; this checks whether a sentence of the target is shown.
  // The search is by meaning as long as the query names neither a time, a folio nor a relation.
  carabase_route_and_execute: [
    {
      input: () => ({ query: NOTE }),
      shows: (answer, { itemId }) => answer.result.hits.some(({ memory_id }: any) => memory_id === itemId),
    },
  ],
  carabase_verify_hypothesis: [
    {
      input: ({ word }) => ({ claim: `A note that speaks of ${word}.` }),
      shows: (answer, { itemId }) =>
        [...answer.corroborated_by, ...answer.contradicted_by].some(({ memory_id }: any) => memory_id === itemId),
    },
  ],
  carabase_traverse_memory_network: [
    {
      input: ({ itemId }) => ({ anchor: [itemId] }),
      shows: (answer, { itemId }) => answer.memories.some((memory: any) => memory.memory_id === itemId),
    },
  ],
  store_knowledge: { nothing: () => ({ title: 'New', body: 'A new note.' }) },
  add_to_knowledge: [
    {
      input: ({ folderId }) => ({ kind: 'text', text: 'A text of more than twenty characters.', folder_id: folderId }),
    },
  ],
  carabase_search_graph: [{ input: ({ word }) => ({ start_entity: word }), shows: ({ entity }) => entity !== null }],
  carabase_find_entity_candidates: [
    {
      input: ({ word }) => ({ text: word }),
      shows: ({ candidates }, { word }) => candidates.some(({ name }: any) => name === word),
    },
  ],
  carabase_search_semantic: [
    {
      // The same words each time, because the similarities of an answer depend on them.
      input: () => ({ query: 'a note', k: 50, min_similarity: 0 }),
      shows: ({ hits }, target) => hasMemory(hits, target),
    },
  ],
  carabase_query_metadata: [
    {
      input: ({ folderId }) => ({ filters: { folio_id: folderId } }),
      shows: ({ items }, target) => hasMemory(items, target),
    },
    {
      input: () => ({ filters: { date_from: '2020-01-01', limit: 100 } }),
      shows: ({ items }, target) => hasMemory(items, target),
    },
  ],
  commit_to_folio: [{ input: ({ folderName }) => ({ folioName: folderName, content: 'A text to commit.' }) }],
  carabase_resolve_mesh_uri: [{ input: ({ meshUri }) => ({ uri: meshUri }) }],
  supersede_knowledge: [
    { input: async ({ itemId }, { spare }) => ({ oldId: itemId, newId: await spare() }) },
    { input: async ({ itemId }, { spare }) => ({ oldId: await spare(), newId: itemId }) },
  ],
};

export interface RestInput {
  readonly path: string;
  readonly body?: object;
  /** Sent as a form. */
  readonly file?: readonly [name: string, content: string];
}

const at = (path: string, body?: object): RestInput => ({ path, ...(body ? { body } : {}) });
const linkOf = (fromItemId: string, toItemId: string) => ({ links: [{ fromItemId, toItemId, type: 'supports' }] });
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
  'POST /items:batch': [
    {
      input: ({ folderId }) => at('/items:batch', { items: [{ title: 't', text: 'x', folderId }] }),
      shows: ({ results }) => results[0].error === undefined,
    },
  ],
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
  'POST /log-cards': [{ input: ({ folderId }) => at('/log-cards', { title: 't', text: 'x', folderId }) }],
  'POST /links': [
    { input: async ({ itemId }, { spare }) => at('/links', linkOf(itemId, await spare())) },
    { input: async ({ itemId }, { spare }) => at('/links', linkOf(await spare(), itemId)) },
  ],
  'POST /edges': [
    {
      input: ({ chunkId, word }) =>
        at('/edges', { chunkId, edges: [{ subject: word, predicate: 'near', object: 'of' }] }),
    },
    {
      input: ({ folderId }) =>
        at('/edges', { folderId, text: 'A is near B.', edges: [{ subject: 'A', predicate: 'near', object: 'B' }] }),
    },
  ],
  'GET /edges/{id}': [{ input: ({ edgeId }) => at(`/edges/${edgeId}`) }],
  'POST /edges/{id}/review': [
    {
      input: async (target, world) =>
        at(`/edges/${isOwn(target, world) ? (await ownStatement(world)).edgeId : target.edgeId}/review`, {
          verdict: 'confirmed',
        }),
    },
  ],
  'GET /entities': [
    { input: ({ word }) => at(`/entities?query=${word}`), shows: (answer) => answer.items.length > 0 },
    {
      input: () => at('/entities?limit=100'),
      shows: (answer, { entityId }) => answer.items.some((one: any) => one.id === entityId),
    },
  ],
  'GET /entities/{id}': [{ input: ({ entityId }) => at(`/entities/${entityId}`) }],
  'POST /entities/merges': [
    {
      input: async (target, world) => {
        const own = await ownStatement(world);
        const { subjectId, objectId } = (await rest(world.reader, 'GET', `/edges/${own.edgeId}`)).body;
        return at('/entities/merges', {
          aliasId: isOwn(target, world) ? subjectId : target.entityId,
          canonicalId: objectId,
        });
      },
    },
  ],
  'DELETE /entities/merges/{id}': [
    {
      input: async (target, world) =>
        at(`/entities/merges/${isOwn(target, world) ? (await ownStatement(world)).mergeId : target.mergeId}`),
    },
  ],
  'GET /graph': [{ input: ({ word }) => at(`/graph?entity=${word}`), shows: ({ entity }) => entity !== null }],
  'GET /review': [
    {
      input: () => at('/review?kind=edge&limit=100'),
      shows: (answer, { edgeId }) => answer.items.some((entry: any) => entry.id === edgeId),
    },
  ],
  // The call uses the target up, so each call gets a new link.
  'DELETE /links/{id}': [
    {
      input: async (target, world) =>
        at(`/links/${isOwn(target, world) ? await newLink(world.reader, target.itemId) : target.linkId}`),
    },
  ],
  'GET /items/{id}/links': [
    {
      input: ({ itemId }) => at(`/items/${itemId}/links`),
      shows: (answer, { linkId }) => answer.items.some((link: any) => link.id === linkId),
    },
  ],
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
  'GET /connectors': { nothing: () => at('/connectors') },
  'POST /accounts': [
    {
      input: ({ folderId }) =>
        at('/accounts', { connectorId: 'url', label: 'Pages', settings: { urls: ['https://example.com/'] }, folderId }),
    },
  ],
  'GET /accounts': [
    {
      input: () => at('/accounts?limit=100'),
      shows: (answer, { accountId }) => answer.items.some((account: any) => account.id === accountId),
    },
  ],
  'GET /accounts/{id}': [{ input: ({ accountId }) => at(`/accounts/${accountId}`) }],
  'PATCH /accounts/{id}': [
    { input: ({ accountId }) => at(`/accounts/${accountId}`, { label: 'Renamed' }) },
    { input: async ({ folderId }, world) => at(`/accounts/${await world.spareAccount()}`, { folderId }) },
  ],
  'POST /accounts/{id}/sync': [
    { input: ({ accountId }) => at(`/accounts/${accountId}/sync`), shows: (answer) => answer.found >= 0 },
  ],
  'POST /mesh/confirmations': [{ input: ({ meshUri }) => at('/mesh/confirmations', { uri: meshUri }) }],
  'DELETE /accounts/{id}': [
    {
      input: async (target, world) =>
        at(`/accounts/${isOwn(target, world) ? await world.spareAccount() : target.accountId}`),
    },
  ],
  'POST /accounts/{id}/import': [
    {
      input: async (target, world) => ({
        path: `/accounts/${isOwn(target, world) ? await world.spareSeries() : target.accountId}/import`,
        file: ['listens.csv', 'id,listened_at,artist,listen_seconds\n1,2026-01-01,A,1\n'],
      }),
    },
  ],
  'POST /accounts/{id}/purge': [
    {
      input: async (target, world) =>
        at(`/accounts/${isOwn(target, world) ? await world.spareSeries() : target.accountId}/purge`, {}),
    },
  ],
  'POST /mcp-servers': {
    nothing: () => at('/mcp-servers', { name: slug(), url: 'https://mcp.example.com/mcp', enabled: false }),
  },
  'GET /mcp-servers': [
    {
      input: () => at('/mcp-servers?limit=100'),
      shows: (answer, { serverId }) => answer.items.some((server: any) => server.id === serverId),
    },
  ],
  'GET /mcp-servers/{id}': [{ input: ({ serverId }) => at(`/mcp-servers/${serverId}`) }],
  'GET /mcp-servers/{id}/tools': [{ input: ({ serverId }) => at(`/mcp-servers/${serverId}/tools`) }],
  'POST /mcp-servers/{id}/refresh': [{ input: ({ serverId }) => at(`/mcp-servers/${serverId}/refresh`) }],
  'POST /mcp-servers/{id}/approve': [
    { input: ({ serverId }) => at(`/mcp-servers/${serverId}/approve`, { tools: ['look'] }) },
  ],
  'PATCH /mcp-servers/{id}': [
    { input: ({ serverId }) => at(`/mcp-servers/${serverId}`, { approval: 'manual' }) },
    { input: ({ serverId }) => at(`/mcp-servers/${serverId}`, { url: 'https://mcp.example.com/mcp', enabled: false }) },
  ],
  'DELETE /mcp-servers/{id}': [{ input: ({ serverId }) => at(`/mcp-servers/${serverId}`) }],
  'POST /sign-in-codes': { nothing: () => at('/sign-in-codes', {}) },
  'GET /whoami': { nothing: () => at('/whoami') },
  'GET /clients': { nothing: () => at('/clients') },
  'GET /events': { nothing: () => at('/events') },
  'GET /projections': { nothing: () => at('/projections') },
  'GET /status': { nothing: () => at('/status') },
  'GET /quotas': { nothing: () => at('/quotas') },
  'PUT /quotas/mesh_daily_tokens': { nothing: () => at('/quotas/mesh_daily_tokens', { limit: null }) },
  'PUT /quotas/knowledge_stored': { nothing: () => at('/quotas/knowledge_stored', { limit: null }) },
};

/** Routes without a caller: they know nothing about workspaces, folders or scopes, so they have nothing to hide. */
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

/** The route table of the running product, from its own OpenAPI document. */
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
 * An answer as text, without the parts that may differ: the correlation id, and the caller's own input (an error
 * repeats a URI, for example).
 */
export const canonical = ({ status, body }: Answer, target: Target): string =>
  // Longest first, because one sent value may begin with another.
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

export const askRoute = async (token: string, method: string, { path, body, file }: RestInput): Promise<Asked> => {
  if (path === '/events') return askEvents(token);
  const answer = file ? await upload(token, path, file) : await rest(token, method, path, body);
  return { answer, content: answer.status < 300 ? (answer.body ?? {}) : undefined };
};
