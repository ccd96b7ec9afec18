import type { Args } from './bad-input-schema.js';
import type { Parts } from './bad-input-operations.js';
import { callRpc, newToken, newWorkspace, rest, storeItem, underTest } from './under-test.js';

/** A workspace with something in it, of which the arguments can speak. */
export interface World {
  readonly token: string;
  readonly folderId: string;
  readonly itemId: string;
  readonly chunkId: string;
}

/** How a text that was accepted comes back, or the reason why it does not. */
type Fate = 'searched' | RegExp | ((answer: any, world: World) => unknown);

export interface Row {
  /** What is accepted as it is, each time it is asked for. */
  readonly valid: (world: World) => Parts | Promise<Parts>;
  /** For which reason well-formed input may still fail, as `code: message`. */
  readonly later?: RegExp;
  /** What must be sent beside a field, or left out (`undefined`), for it to be accepted. */
  readonly beside?: Readonly<Record<string, (world: World) => Args>>;
  /** The same, of a field at its bounds only. */
  readonly besideBounds?: Readonly<Record<string, (world: World) => Args>>;
  /** Values of a field that its schema allows and its meaning does not. */
  readonly never?: Readonly<Record<string, readonly unknown[]>>;
  /** Every field of free text, and what becomes of it. A field that is missing here fails the suite. */
  readonly texts?: Readonly<Record<string, Fate>>;
  /** Whose token is used; by default, that of the world's workspace. */
  readonly speaker?: (world: World) => string | Promise<string>;
}

const ID = '00000000-0000-7000-8000-000000000000';
const LONG_ENOUGH = 'A text of twenty characters.';

export const newWorld = async (): Promise<World> => {
  const { token } = await newWorkspace();
  const folder = await rest(token, 'POST', '/folders', { slug: 'notes', name: 'Notes' });
  const { id: itemId, chunkIds } = await storeItem(token, { title: 'A note', text: 'A note about nothing.' });
  return { token, folderId: folder.body.id, itemId, chunkId: chunkIds[0]! };
};

const item = async (id: string, { token }: World): Promise<any> => (await rest(token, 'GET', `/items/${id}`)).body;

/** An entry of a list that may be on any of its pages. */
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

/** The text that a proposed correction puts into the log. */
const applied = async (token: string, correctionId: string): Promise<string> => {
  const { result } = (await callRpc(token, 'apply', { correctionId })).body;
  return (await rest(token, 'GET', `/ops/${result.structuredContent.opLogEventId}`)).body.data.newText;
};

export const TOOL_ROWS: Readonly<Record<string, Row>> = {
  search_knowledge_base: { valid: () => ({ arguments: { query: 'x' } }), texts: { query: 'searched' } },
  get_item: {
    valid: ({ itemId }) => ({ arguments: { item_id: itemId } }),
    later: /^(item\.not_found|input\.invalid: item_id must be a UUID or a URI)/,
    texts: { item_id: /^input\.invalid: item_id must be a UUID or a URI/ },
  },
  list_recent: { valid: () => ({}) },
  add_to_knowledge: {
    // Not for search: half a million characters would be embedded for minutes.
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
  recall: {
    valid: () => ({ arguments: { query: 'x' } }),
    texts: { query: 'searched', 'graphs[0]': 'searched' },
  },
  remember: {
    valid: () => ({ arguments: { text: 'x' } }),
    later: /^engram\.(not_found|close_matches)/,
    // It waits for a decision, and is not embedded before: that would take minutes.
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
    // A chunk of its own for each: a correction that is applied ends those that were proposed beside it.
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

const itemTexts: Row['texts'] = {
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
    // A folder of its own for each: what comes back is the folder as it is then, and others change it meanwhile.
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
    // Not for search: half a million characters would be embedded for minutes.
    valid: () => ({ body: { title: 'x', text: 'y', inKb: false } }),
    later: /^folder\.not_found/,
    texts: itemTexts,
  },
  'POST /items (form)': {
    valid: () => ({ form: { file: ['a.txt', 'A text.'], inKb: false } }),
    later: /^folder\.not_found/,
    texts: itemTexts,
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
  'GET /receipts/key': NOTHING,
  'GET /receipts/{id}': BY_UNKNOWN_ID(/^receipt\.not_found/),
  'GET /clients': NOTHING,
  'GET /quotas': NOTHING,
  'PUT /quotas/knowledge_stored': { valid: () => ({ body: { limit: 1_000 } }) },
  'GET /confirmations': LIST,
  'POST /confirmations/{id}': {
    valid: async (world) => ({ path: { id: await waiting(world) }, body: { action: 'dismiss' } }),
    later: /^(confirmation|folder)\.not_found|^input\.invalid: folderId is required when action is use|slug_taken/,
    beside: { folderId: () => ({ action: 'use' }), name: () => ({ action: 'create' }) },
    texts: { name: async ({ folderId }, world) => (await folder(folderId, world)).name },
  },
  'GET /events': NOTHING,
  'GET /ops': LIST,
  'GET /ops/{id}': BY_UNKNOWN_ID(/^op\.not_found/),
  'GET /projections': NOTHING,
  'GET /status': NOTHING,
  'GET /whoami': NOTHING,
};
