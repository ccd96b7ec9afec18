import { describe, expect, it } from '@jest/globals';
import type { Op } from '@cairn/contracts';
import type { OpenSearchClient } from '@cairn/persistence';
import type { Vault } from '@cairn/vault';
import type { LexicalChange, LexicalSource } from './lexical-change.js';
import { lexicalChanges } from './lexical-changes.js';
import { OpenSearchLexicalWriter, type LexicalLibrary } from './opensearch-lexical-writer.js';

/** The library as it may be while the index follows the log separately: before or after the change. */
const LIBRARY: LexicalSource = {
  chunkId: 'chunk',
  workspaceId: 'workspace',
  itemId: 'item',
  inKb: false,
  place: { folderId: 'another-folder', superseded: false, expiresAt: null, title: 'Another title' },
  text: 'the text',
};

/** A writer, and the lines that it has sent. The folders in `secret` are sensitive. */
const writing = (source = LIBRARY) => {
  const lines: Record<string, unknown>[] = [];
  const bulk = ({ body }: { body: Record<string, unknown>[] }) => {
    lines.push(...body);
    const actions = body.filter((line) => 'index' in line);
    return Promise.resolve({ body: { items: actions.map(() => ({ index: { status: 200 } })) } });
  };
  const client = { bulk } as unknown as OpenSearchClient;
  const library: { -readonly [K in keyof LexicalLibrary]: LexicalLibrary[K] } = {
    sourcesOf: () => Promise.resolve([source]),
    itemsOf: () => Promise.resolve([source.itemId]),
    readableOf: (folderIds) => Promise.resolve(new Set(folderIds.filter((folderId) => !folderId.includes('secret')))),
  };
  return { lines, library, writer: new OpenSearchLexicalWriter(client, { library }) };
};

const versioned = { _id: 'chunk', version: 7, version_type: 'external_gte' };

describe('the lines that are written to OpenSearch', () => {
  it('follow the op when an item is moved, whatever the library holds at that time', async () => {
    const { writer, lines } = writing();
    const to = { folderId: 'folder', superseded: true, expiresAt: '2027-01-01T00:00:00.000Z', title: 'Title' };
    await writer.write('chunks', [{ kind: 'move', position: 7, itemId: 'item', to }]);
    const { title: _, ...filters } = to;
    expect(lines).toEqual([
      { index: versioned },
      { ...filters, workspaceId: 'workspace', itemId: 'item', body: 'title the text' },
    ]);
  });

  it('follow the op when an item is superseded, and the library only if the op does not state it', async () => {
    const change = { kind: 'supersede', position: 7, itemId: 'item' } as const;
    const inKb = writing();
    await inKb.writer.write('chunks', [{ ...change, inKb: true }]);
    expect(inKb.lines).toEqual([{ index: versioned }, expect.objectContaining({ superseded: true })]);
    const outside = writing();
    await outside.writer.write('chunks', [{ ...change, inKb: undefined }]);
    expect(outside.lines).toEqual([]);
    const unsaid = writing({ ...LIBRARY, inKb: true });
    await unsaid.writer.write('chunks', [{ ...change, inKb: undefined }]);
    expect(unsaid.lines).toHaveLength(2);
  });

  it('follow the op when an item becomes visible again', async () => {
    const { writer, lines } = writing({ ...LIBRARY, inKb: true, place: { ...LIBRARY.place, superseded: true } });
    await writer.write('chunks', [{ kind: 'revive', position: 7, itemId: 'item', inKb: true }]);
    expect(lines).toEqual([
      { index: versioned },
      expect.objectContaining({ superseded: false, body: expect.any(String) }),
    ]);
  });

  it('[G-29] are a tombstone, with its position and without content, when an item leaves the knowledge base', async () => {
    const { writer, lines } = writing({ ...LIBRARY, inKb: true });
    await writer.write('chunks', [{ kind: 'remove', position: 7, itemId: 'item' }]);
    expect(lines).toEqual([{ index: versioned }, { removedAt: expect.any(String) }]);
  });
});

describe('a sensitive folder in OpenSearch', () => {
  const TOMBSTONE = [{ index: versioned }, { removedAt: expect.any(String) }];
  const inFolder = (folderId: string): LexicalSource => ({
    ...LIBRARY,
    inKb: true,
    place: { ...LIBRARY.place, folderId },
  });
  const sent = async (source: LexicalSource, change: LexicalChange) => {
    const { writer, lines } = writing(source);
    await writer.write('chunks', [change]);
    return lines;
  };

  it('gets only a tombstone for an item that is stored, moved, superseded or made visible again in it', async () => {
    const { chunkId, workspaceId, itemId } = LIBRARY;
    const { title, ...place } = inFolder('secret').place;
    const changes: LexicalChange[] = [
      { kind: 'put', position: 7, document: { chunkId, workspaceId, itemId, ...place, body: 'the text' } },
      { kind: 'move', position: 7, itemId, to: { ...place, title } },
      { kind: 'supersede', position: 7, itemId, inKb: true },
      { kind: 'revive', position: 7, itemId, inKb: true },
    ];
    for (const change of changes)
      expect([change.kind, await sent(inFolder('secret'), change)]).toEqual([change.kind, TOMBSTONE]);
  });

  it('loses its documents when it becomes sensitive, and regains them with their words afterwards', async () => {
    const change = { kind: 'tier', position: 7, folderId: 'folder' } as const;
    expect(await sent(inFolder('secret'), { ...change, sensitive: true })).toEqual(TOMBSTONE);
    expect(await sent(inFolder('open'), { ...change, sensitive: false })).toEqual([
      { index: versioned },
      expect.objectContaining({ folderId: 'open', body: 'another title the text' }),
    ]);
  });
});

describe('a folder of many items in OpenSearch', () => {
  it('is rewritten with the texts of only a few items in memory at a time', async () => {
    const { writer, library, lines } = writing({ ...LIBRARY, inKb: true });
    const itemIds = Array.from({ length: 100 }, (_, i) => `item-${i}`);
    let [read, most] = [0, 0];
    library.itemsOf = () => Promise.resolve(itemIds);
    library.sourcesOf = (itemId) => {
      most = Math.max(most, ++read - lines.length / 2);
      return Promise.resolve([{ ...LIBRARY, itemId, chunkId: itemId, inKb: true }]);
    };
    await writer.write('chunks', [{ kind: 'tier', position: 7, folderId: 'folder', sensitive: false }]);
    expect(lines).toHaveLength(2 * itemIds.length);
    expect(most).toBe(32);
  });
});

describe('the change that an op causes in a lexical index', () => {
  it('is a tier when a folder becomes sensitive or stops being so, and nothing when it is only renamed', async () => {
    const op = (type: string, data: object) =>
      ({ type, position: 7, data: { folderId: 'f', ...data } }) as unknown as Op;
    const change = { kind: 'tier', position: 7, folderId: 'f' };
    const changes = (type: string, data: object) => lexicalChanges({} as Vault, [op(type, data)]);
    expect(await changes('folder.created', { tier: 'personal' })).toEqual([]);
    expect(await changes('folder.created', { tier: 'sensitive' })).toEqual([{ ...change, sensitive: true }]);
    expect(await changes('folder.configured', { name: 'Another' })).toEqual([]);
    expect(await changes('folder.configured', { tier: 'sensitive' })).toEqual([{ ...change, sensitive: true }]);
    expect(await changes('folder.configured', { tier: 'public' })).toEqual([{ ...change, sensitive: false }]);
  });

  const superseded = (inKb?: boolean) =>
    ({ type: 'item.superseded', position: 7, data: { itemId: 'item', inKb } }) as unknown as Op;

  it('[G-29] is nothing when the superseded item is not in the knowledge base', async () => {
    expect(await lexicalChanges({} as Vault, [superseded(false)])).toEqual([]);
    expect(await lexicalChanges({} as Vault, [superseded(true)])).toEqual([
      { kind: 'supersede', position: 7, itemId: 'item', inKb: true },
    ]);
  });

  it('[G-29] restores an item that a forgotten one had replaced, if it is in the knowledge base and not replaced again', async () => {
    const items = [
      { itemId: 'inside', inKb: true },
      { itemId: 'outside', inKb: false },
    ];
    const forgotten = (to: object | null) =>
      ({ type: 'item.forgotten', position: 7, data: { chunkIds: ['gone'], ledOn: { items, to } } }) as unknown as Op;
    const forget = { kind: 'forget', position: 7, chunkIds: ['gone'] };
    expect(await lexicalChanges({} as Vault, [forgotten(null)])).toEqual([
      forget,
      { kind: 'revive', position: 7, itemId: 'inside', inKb: true },
    ]);
    expect(await lexicalChanges({} as Vault, [forgotten({ byItemId: 'next', headId: 'next' })])).toEqual([forget]);
  });
});
