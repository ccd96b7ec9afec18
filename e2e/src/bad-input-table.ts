import type { Args } from './bad-input-schema.js';
import type { Parts } from './bad-input-operations.js';
import { callRpc, newToken, newWorkspace, rest, storeItem, underTest } from './under-test.js';

/** A workspace with content that the arguments can refer to. */
export interface World {
  readonly token: string;
  readonly folderId: string;
  readonly itemId: string;
  readonly chunkId: string;
}

type ReadBack = (answer: any, world: World) => unknown;
/** Reads an accepted text back, or states why it cannot be read back. */
type Fate = 'searched' | 'kept secret' | RegExp | ReadBack;

export interface Row {
  /** Valid input, which is accepted on every call. */
  readonly valid: (world: World) => Parts | Promise<Parts>;
  /** The reasons for which well-formed input may still fail, as `code: message`. */
  readonly later?: RegExp;
  /** Other fields that must be sent, or left out (`undefined`), for a field to be accepted. */
  readonly beside?: Readonly<Record<string, (world: World) => Args>>;
  /** The same, for a field at its bounds only. */
  readonly besideBounds?: Readonly<Record<string, (world: World) => Args>>;
  /** Values of a field that its schema allows but its meaning does not. */
  readonly never?: Readonly<Record<string, readonly unknown[]>>;
  /** Every free-text field, and how it is read back. A field that is missing here fails the suite. */
  readonly texts?: Readonly<Record<string, Fate>>;
  /** The token to use; by default, that of the world's workspace. */
  readonly speaker?: (world: World) => string | Promise<string>;
}

const ID = '00000000-0000-7000-8000-000000000000';
const MESH_URI = `mesh://folder/${ID}/${ID}`;
const LONG_ENOUGH = 'A text of twenty characters.';

export const newWorld = async (): Promise<World> => {
  const { token } = await newWorkspace();
  const folder = await rest(token, 'POST', '/folders', { slug: 'notes', name: 'Notes' });
  const { id: itemId, chunkIds } = await storeItem(token, { title: 'A note', text: 'A note about nothing.' });
  return { token, folderId: folder.body.id, itemId, chunkId: chunkIds[0]! };
};

const item = async (id: string, { token }: World): Promise<any> => (await rest(token, 'GET', `/items/${id}`)).body;

/** Finds an entry of a list on any of its pages. */
const listed = async (token: string, path: string, isIt: (entry: any) => boolean): Promise<any> => {
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await rest(token, 'GET', `${path}?limit=100${cursor && `&cursor=${cursor}`}`);
    const found = body.items.find(isIt);
    if (found) return found;
    cursor = body.nextCursor;
  }
  return undefined;
};

/** Each token may call `add_to_knowledge` 60 times per hour. */
const CALLS_PER_TOKEN = 50;
const adders = new WeakMap<World, { calls: number; token: Promise<string> }>();
const adder = (world: World): Promise<string> => {
  const known = adders.get(world);
  const isSpent = !known || known.calls >= CALLS_PER_TOKEN;
  const own = isSpent ? { calls: 0, token: newToken(world.token, { scopes: ['read', 'write'] }) } : known;
  own.calls++;
  adders.set(world, own);
  return own.token;
};

let counter = 0;
const newSlug = (): string => `bad-input-${process.pid}-${Date.now().toString(36)}-${counter++}`;

/** A memory that waits for a person to decide where it belongs. */
const waiting = async ({ token }: World): Promise<string> => {
  const name = newSlug();
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const params = { name: 'remember', arguments: { text: 'A memory.', target_engram: name } };
  const response = await fetch(underTest.mcpUrl, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...call, params }),
  });
  return ((await response.json()) as any).result.structuredContent.confirmationId;
};

/** Calls use these accounts in turn: many are changed at the same time, and a workspace has at most 100. */
const ACCOUNTS = 40;
const accounts = new WeakMap<World, Promise<string>[]>();
const account = (world: World): Promise<string> => {
  const known = accounts.get(world) ?? [];
  accounts.set(world, known);
  const settings = { urls: ['https://example.com/'] };
  const next =
    known.length < ACCOUNTS
      ? rest(world.token, 'POST', '/accounts', { connectorId: 'url', label: 'Pages', settings }).then(
          ({ body }) => body.id as string,
        )
      : known.shift()!;
  known.push(next);
  return next;
};

const LISTENS = ['listens.csv', 'id,listened_at,artist,listen_seconds\n1,2026-01-01,A,1\n'];
const seriesAccounts = new WeakMap<World, Promise<string>>();
const seriesAccount = (world: World): Promise<string> => {
  const known =
    seriesAccounts.get(world) ??
    rest(world.token, 'POST', '/accounts', { connectorId: 'tidal', label: 'Listens' }).then(({ body }) => body.id);
  seriesAccounts.set(world, known);
  return known;
};

const serverName = (): string => `s-${process.pid}-${counter++}`;
const NO_ADDRESS = /^input\.invalid: url must (be a complete address|start with https)/;

/** Shared by all calls, because a workspace may have only a few. */
const disabledServers = new Map<string, Promise<string>>();
const disabledServer = (token: string): Promise<string> => {
  const body = { name: serverName(), url: 'https://mcp.example.com/mcp', enabled: false };
  const known =
    disabledServers.get(token) ?? rest(token, 'POST', '/mcp-servers', body).then((made) => made.body.id as string);
  disabledServers.set(token, known);
  return known;
};

/** The text that a proposed correction puts into the log. */
const applied = async (token: string, correctionId: string): Promise<string> => {
  const { result } = (await callRpc(token, 'apply', { correctionId })).body;
  return (await rest(token, 'GET', `/ops/${result.structuredContent.opLogEventId}`)).body.data.newText;
};

/** The answer to a text that is not a day or a time. */
const NO_DAY = /must (be a day such as|have at most 35 characters)/;

export const TOOL_ROWS: Readonly<Record<string, Row>> = {
  search_knowledge_base: { valid: () => ({ arguments: { query: 'x' } }), texts: { query: 'searched' } },
  get_item: {
    valid: ({ itemId }) => ({ arguments: { item_id: itemId } }),
    later: /^(item\.not_found|input\.invalid: item_id must be a UUID or a URI)/,
    texts: { item_id: /^input\.invalid: item_id must be a UUID or a URI/ },
  },
  list_recent: { valid: () => ({}) },
  add_to_knowledge: {
    // Kept out of search, because embedding half a million characters would take minutes.
    valid: () => ({ arguments: { kind: 'text', text: LONG_ENOUGH, in_kb: false } }),
    later: /^(url\.refused|folder\.not_found)|(text|url) is required when kind is (text|url)$/,
    beside: { url: () => ({ kind: 'url', text: undefined }), kind: () => ({ text: undefined }) },
    never: { auto_transform: [true] },
    texts: {
      url: /^url\.refused/,
      text: async ({ itemId }, world) => (await item(itemId, world)).content,
      title: async ({ itemId }, world) => (await item(itemId, world)).title,
    },
    speaker: adder,
  },
  carabase_verify_hypothesis: { valid: () => ({ arguments: { claim: 'x' } }), texts: { claim: 'searched' } },
  carabase_query_timeseries: {
    valid: () => ({
      arguments: { source: 'strava', metric: 'activities', range: { from: '2026-01-01', to: '2026-02-01' } },
    }),
    later: /^series\.unknown_(source|metric|group)|^input\.invalid: range/,
    texts: {
      source: /^series\.unknown_source/,
      metric: /^series\.unknown_metric/,
      group_by: /^series\.unknown_group/,
      'range.from': NO_DAY,
      'range.to': NO_DAY,
    },
  },
  recall: {
    valid: () => ({ arguments: { query: 'x' } }),
    texts: { query: 'searched', 'graphs[0]': 'searched' },
  },
  remember: {
    valid: () => ({ arguments: { text: 'x' } }),
    later: /^engram\.(not_found|close_matches)/,
    // Waits for a decision and is not embedded before, because that would take minutes.
    besideBounds: { text: () => ({ target_engram: 'No one has this name' }) },
    texts: {
      text: async ({ sourceId }, world) => (await item(sourceId, world)).content,
      label: async ({ sourceId }, world) => (await item(sourceId, world)).title,
      graphId: /^engram\.not_found/,
      target_engram: async ({ confirmationId }, { token }) =>
        (await listed(token, '/confirmations', ({ id }) => id === confirmationId)).suggestedName,
    },
  },
  correct: {
    // Each call uses its own chunk, because applying a correction ends the other proposals for the same chunk.
    valid: async ({ token }) => {
      const { chunkIds } = await storeItem(token, { title: 'A note', text: 'A note about nothing.' });
      return { arguments: { chunkId: chunkIds[0], proposal: 'replace nothing with something' } };
    },
    later: /^(chunk\.not_found|correction\.)/,
    texts: {
      proposal: /^correction\.no_rule/,
      newText: async ({ correctionId }, { token }) => applied(token, correctionId),
    },
  },
  apply: { valid: () => ({ arguments: { correctionId: ID } }), later: /^correction\.not_found/ },
  stats: { valid: () => ({}) },
  forget: { valid: () => ({ arguments: { sourceId: ID } }), later: /^(item|chunk)\.not_found/ },
  store_knowledge: {
    valid: () => ({ arguments: { title: 'x', body: 'y' } }),
    texts: {
      title: async ({ id }, world) => (await item(id, world)).title,
      body: async ({ id }, world) => (await item(id, world)).content,
      'taskRef.taskId': async ({ id }, world) => (await item(id, world)).links[0].taskId,
    },
  },
  search_knowledge: {
    valid: () => ({ arguments: { query: 'x' } }),
    texts: { query: 'searched', 'tags[0]': 'searched' },
  },
  carabase_search_graph: {
    valid: () => ({ arguments: { start_entity: 'x' } }),
    later: /^input\.invalid: source_kinds must not repeat a kind/,
    texts: { start_entity: 'searched' },
  },
  carabase_traverse_memory_network: {
    valid: ({ itemId }) => ({ arguments: { anchor: [itemId] } }),
    later: /^memory\.not_found|^input\.invalid: anchor must have exactly 2 different ids/,
  },
  carabase_find_entity_candidates: {
    valid: () => ({ arguments: { text: 'x' } }),
    texts: { text: 'searched', 'hints.near[0]': 'searched' },
  },
  carabase_search_semantic: { valid: () => ({ arguments: { query: 'x' } }), texts: { query: 'searched' } },
  carabase_query_metadata: {
    valid: () => ({ arguments: { filters: { kind: 'clip' } } }),
    later: /^folder\.not_found|^input\.invalid: filters(\.date_(from|to) must be a day| must have at least one of)/,
    texts: {
      'filters.date_from': NO_DAY,
      'filters.date_to': NO_DAY,
      'filters.tags[0]': 'searched',
      'filters.source': 'searched',
      'filters.entity_name': 'searched',
    },
  },
  commit_to_folio: {
    valid: () => ({ arguments: { folioName: 'Notes', content: 'x' } }),
    later: /^engram\.(not_found|close_matches)/,
    // Not stored, because embedding it would take minutes.
    besideBounds: { content: () => ({ folioName: 'No one has this name' }) },
    texts: {
      folioName: /^engram\.(not_found|close_matches)/,
      content: async ({ commit_id }, world) => (await item(commit_id, world)).content,
    },
  },
  carabase_route_and_execute: { valid: () => ({ arguments: { query: 'x' } }), texts: { query: 'searched' } },
  carabase_resolve_mesh_uri: {
    valid: () => ({ arguments: { uri: MESH_URI } }),
    later: /^item\.not_found|^input\.invalid: uri must be a mesh URI/,
    texts: { uri: /^input\.invalid: uri must be a mesh URI/ },
  },
  supersede_knowledge: { valid: () => ({ arguments: { oldId: ID, newId: ID } }), later: /^item\.not_found/ },
};

const folder = async (id: string, { token }: World): Promise<any> => (await rest(token, 'GET', `/folders/${id}`)).body;

const LIST: Row = {
  valid: () => ({}),
  later: /^input\.invalid: cursor is not one that a list answered/,
  texts: { cursor: /^input\.invalid: cursor is not one that a list answered/ },
};
const BY_UNKNOWN_ID = (later: RegExp): Row => ({ valid: () => ({ path: { id: ID } }), later });
const NOTHING: Row = { valid: () => ({}) };
const instanceAdmin = (): string => underTest.token;

const itemTexts: Readonly<Record<string, ReadBack>> = {
  title: async ({ id }, world) => (await item(id, world)).title,
  text: async ({ id }, world) => (await item(id, world)).content,
  'source.name': async ({ id }, world) => (await item(id, world)).source.name,
  'source.uri': async ({ id }, world) => (await item(id, world)).source.uri,
};

export const ROUTE_ROWS: Readonly<Record<string, Row>> = {
  'POST /sign-in': {
    valid: () => ({ body: { code: 'x' } }),
    later: /^auth\.invalid/,
    texts: { code: /^auth\.invalid/ },
  },
  'POST /sign-in-codes': { valid: () => ({ body: {} }) },
  'POST /workspaces': {
    valid: () => ({ body: { slug: newSlug(), name: 'x' } }),
    later: /^workspace\.slug_taken/,
    texts: {
      name: async ({ workspace }) =>
        (await listed(underTest.token, '/workspaces', ({ id }) => id === workspace.id)).name,
    },
    speaker: instanceAdmin,
  },
  'GET /workspaces': { ...LIST, speaker: instanceAdmin },
  'POST /folders': {
    valid: () => ({ body: { slug: newSlug(), name: 'x' } }),
    texts: {
      name: async ({ id }, world) => (await folder(id, world)).name,
      readme: async ({ id }, world) => (await folder(id, world)).readme,
    },
  },
  'GET /folders': LIST,
  'GET /folders/{id}': BY_UNKNOWN_ID(/^folder\.not_found/),
  'PATCH /folders/{id}': {
    // Each call uses its own folder, because the answer shows its present state and other calls change it meanwhile.
    valid: async ({ token }) => {
      const made = await rest(token, 'POST', '/folders', { slug: newSlug(), name: 'To be changed' });
      return { path: { id: made.body.id }, body: { name: 'x' } };
    },
    later: /^folder\.not_found/,
    texts: { name: ({ name }) => name, readme: ({ readme }) => readme },
  },
  'POST /tokens': {
    valid: () => ({ body: { name: 'x', scopes: ['read'] } }),
    later: /^folder\.not_found|isUnscoped/,
    texts: { name: async ({ id }, { token }) => (await listed(token, '/tokens', (entry) => entry.id === id)).name },
  },
  'GET /tokens': LIST,
  'DELETE /tokens/{id}': BY_UNKNOWN_ID(/^token\.not_found/),
  'POST /items': {
    // Kept out of search, because embedding half a million characters would take minutes.
    valid: () => ({ body: { title: 'x', text: 'y', inKb: false } }),
    later: /^folder\.not_found/,
    texts: itemTexts,
  },
  'POST /items (form)': {
    valid: () => ({ form: { file: ['a.txt', 'A text.'], inKb: false } }),
    later: /^folder\.not_found/,
    texts: itemTexts,
  },
  'POST /items:batch': {
    valid: () => ({ body: { items: [{ title: 'x', text: 'y', inKb: false }] } }),
    later: /^folder\.not_found/,
    texts: Object.fromEntries(
      Object.entries(itemTexts).map(([field, read]) => [
        `items[0].${field}`,
        ({ results: [stored] }: any, world: World) => read(stored, world),
      ]),
    ),
  },
  'GET /items': LIST,
  'GET /items/{id}': BY_UNKNOWN_ID(/^item\.not_found/),
  'PATCH /items/{id}': {
    valid: async ({ token }) => {
      const { id } = await storeItem(token, { title: 'To be changed', text: 'x', inKb: false });
      return { path: { id }, body: { title: 'x' } };
    },
    later: /^(item|folder)\.not_found/,
    texts: { title: ({ title }) => title },
  },
  'DELETE /items/{id}': BY_UNKNOWN_ID(/^item\.not_found/),
  'DELETE /chunks/{id}': BY_UNKNOWN_ID(/^chunk\.not_found/),
  'GET /entities': { ...LIST, texts: { ...LIST.texts, query: 'searched' } },
  'GET /entities/{id}': BY_UNKNOWN_ID(/^entity\.not_found/),
  'POST /entities/merges': {
    valid: () => ({ body: { aliasId: ID, canonicalId: ID.replace(/0$/, '1') } }),
    later: /^entity\.not_found|aliasId must be another entity/,
  },
  'DELETE /entities/merges/{id}': BY_UNKNOWN_ID(/^merge\.not_found/),
  'POST /edges': {
    valid: () => ({ body: { text: 'A is near B.', edges: [{ subject: 'A', predicate: 'near', object: 'B' }] } }),
    later:
      /^(chunk|folder)\.not_found|^input\.invalid: (chunkId|folderId) must be|must be a name of|must be words of letters|must be a day such as/,
    beside: { chunkId: () => ({ text: undefined }) },
    texts: {
      text: async ({ itemId }, world) => (await item(itemId, world)).content,
      'edges[0].subject': 'searched',
      'edges[0].object': 'searched',
      'edges[0].predicate': 'searched',
      'edges[0].validFrom': NO_DAY,
      'edges[0].validTo': NO_DAY,
    },
  },
  'POST /links': {
    valid: ({ itemId }) => ({ body: { links: [{ fromItemId: itemId, toItemId: ID, type: 'supports' }] } }),
    later: /^item\.not_found|^link\.(use_supersede|to_itself)/,
  },
  'DELETE /links/{id}': BY_UNKNOWN_ID(/^link\.not_found/),
  'GET /items/{id}/links': {
    valid: ({ itemId }) => ({ path: { id: itemId } }),
    later: /^item\.not_found|^input\.invalid: cursor is not one that a list answered/,
    texts: LIST.texts!,
  },
  'POST /log-cards': {
    valid: () => ({ body: { title: 'x', text: 'y' } }),
    later: /^folder\.not_found/,
    // Not stored, because embedding it would take minutes.
    besideBounds: { text: () => ({ folderId: ID }) },
    texts: { title: itemTexts['title']!, text: itemTexts['text']! },
  },
  'GET /edges/{id}': BY_UNKNOWN_ID(/^edge\.not_found/),
  'POST /edges/{id}/review': {
    valid: () => ({ path: { id: ID }, body: { verdict: 'confirmed' } }),
    later: /^edge\.not_found/,
  },
  'GET /graph': {
    valid: () => ({ query: { entity: 'x' } }),
    later: /^input\.invalid: sourceKinds/,
    texts: { entity: 'searched', sourceKinds: /^input\.invalid: sourceKinds/ },
  },
  'GET /review': LIST,
  'GET /receipts/key': NOTHING,
  'GET /receipts/{id}': BY_UNKNOWN_ID(/^receipt\.not_found/),
  'GET /clients': NOTHING,
  'GET /quotas': NOTHING,
  'PUT /quotas/mesh_daily_tokens': { valid: () => ({ body: { limit: 1_000 } }) },
  'PUT /quotas/knowledge_stored': { valid: () => ({ body: { limit: 1_000 } }) },
  'GET /confirmations': LIST,
  'POST /confirmations/{id}': {
    valid: async (world) => ({ path: { id: await waiting(world) }, body: { action: 'dismiss' } }),
    later: /^(confirmation|folder)\.not_found|^input\.invalid: folderId is required when action is use|slug_taken/,
    beside: { folderId: () => ({ action: 'use' }), name: () => ({ action: 'create' }) },
    texts: { name: async ({ folderId }, world) => (await folder(folderId, world)).name },
  },
  'GET /connectors': NOTHING,
  'GET /accounts': LIST,
  'POST /accounts': {
    valid: () => ({ body: { connectorId: 'url', label: 'Pages', settings: { urls: ['https://example.com/'] } } }),
    later: /^folder\.not_found|^input\.invalid: (connectorId|settings)|^account\.too_many/,
    texts: { label: ({ label }) => label, credential: 'kept secret' },
  },
  'GET /accounts/{id}': BY_UNKNOWN_ID(/^account\.not_found/),
  'PATCH /accounts/{id}': {
    valid: async (world) => ({ path: { id: await account(world) }, body: { label: 'Renamed' } }),
    later: /^(account|folder)\.not_found|^input\.invalid: settings/,
    texts: { label: ({ label }) => label, credential: 'kept secret' },
  },
  'POST /accounts/{id}/sync': BY_UNKNOWN_ID(
    /^account\.not_found|^input\.invalid: cursor is not one that a sync answered/,
  ),
  'POST /mesh/confirmations': {
    valid: () => ({ body: { uri: MESH_URI } }),
    later: /^item\.not_found|^input\.invalid: uri must be a mesh URI/,
    texts: { uri: /^input\.invalid: uri must be a mesh URI/ },
  },
  'DELETE /accounts/{id}': BY_UNKNOWN_ID(/^account\.not_found/),
  'POST /accounts/{id}/import': {
    valid: async (world) => ({ path: { id: await seriesAccount(world) }, form: { file: LISTENS } }),
    later: /^account\.not_found/,
  },
  'POST /accounts/{id}/import (form)': {
    valid: async (world) => ({ path: { id: await seriesAccount(world) }, form: { file: LISTENS } }),
  },
  'POST /accounts/{id}/purge': {
    valid: async (world) => ({ path: { id: await seriesAccount(world) }, body: {} }),
    later: /^account\.not_found|^input\.invalid: before must be a day/,
    texts: { before: NO_DAY },
  },
  'POST /mcp-servers': {
    // Never connected to. A workspace may have only a few, so each is in a workspace of its own.
    valid: () => ({ body: { name: serverName(), url: 'https://mcp.example.com/mcp', enabled: false } }),
    later: /^server\.(url_refused|too_many|name_taken)|^input\.invalid: (url must be a complete|credential\.)/,
    never: { enabled: [true] },
    texts: { url: NO_ADDRESS, 'credential.name': /^input\.invalid/, 'credential.value': 'kept secret' },
    speaker: async () => (await newWorkspace()).token,
  },
  'GET /mcp-servers': LIST,
  'GET /mcp-servers/{id}': BY_UNKNOWN_ID(/^server\.not_found/),
  'GET /mcp-servers/{id}/tools': BY_UNKNOWN_ID(/^server\.not_found/),
  'PATCH /mcp-servers/{id}': {
    valid: async ({ token }) => ({ path: { id: await disabledServer(token) }, body: { approval: 'manual' } }),
    later: /^server\.(not_found|url_refused|name_taken)|^input\.invalid: (url must be a complete|credential\.)/,
    never: { enabled: [true] },
    texts: { url: NO_ADDRESS, 'credential.name': /^input\.invalid/, 'credential.value': 'kept secret' },
  },
  'DELETE /mcp-servers/{id}': BY_UNKNOWN_ID(/^server\.not_found/),
  'POST /mcp-servers/{id}/refresh': BY_UNKNOWN_ID(/^server\.not_found/),
  'POST /mcp-servers/{id}/approve': {
    valid: () => ({ path: { id: ID }, body: { tools: ['x'] } }),
    later: /^server\.not_found|^input\.invalid: hashes(\[0\] must be 64| must have one entry)/,
    texts: { 'tools[0]': /^server\.not_found/ },
  },
  'GET /events': NOTHING,
  'GET /ops': LIST,
  'GET /ops/{id}': BY_UNKNOWN_ID(/^op\.not_found/),
  'GET /projections': NOTHING,
  'GET /status': NOTHING,
  'GET /whoami': NOTHING,
};
