import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FolderReader } from '@cairn/access';
import { randomUUID } from 'node:crypto';
import { QUERY_CHARS_MAX } from '@cairn/contracts';
import type { LexicalChange, LexicalDocument } from '@cairn/projections';
import type { LexicalIndex } from './lexical-index.port.js';

export interface LexicalHarness {
  readonly index: LexicalIndex;
  /** Written and visible when it resolves. */
  write(changes: readonly LexicalChange[]): Promise<void>;
  addFolder(workspaceId: string, tier: 'personal' | 'sensitive'): Promise<string>;
  /** Configures a folder: the library has the tier, and the index has followed, when it resolves. */
  setTier(folderId: string, tier: 'personal' | 'sensitive', position: number): Promise<void>;
  close(): Promise<void>;
}

const TEXTS = {
  consent: 'Token endpoint\nThe user gives consent at /authorize before a code is issued.',
  lookup: 'Accounts\nCall getUserById(id) and never findAccount in a loop.',
  snake: 'Retries\nThe setting max_retry_count bounds how often a job is tried.',
  error: 'Connection failures\nERR_CONN_4711 means that the broker refused the session.',
  rpc: 'Limits\nThe server answers -32605 when the hourly cap is exceeded.',
  name: 'Travel notes\nWe met Ingrid Bergström in Reykjavík and talked about glaciers.',
  filler: 'Gardening\nTomatoes want sun; the setting of the seedlings matters, and retries rarely help.',
  otherError: 'Connection errors\nconn 4711 err are three words of a lock, not a code.',
  japanese: '岬の日記\n灯台守は毎晩ランプの芯を切りそろえる。',
  chinese: '旅行笔记\n我们在长城上看见一只黑猫。',
  thai: 'บันทึก\nเราพบกันที่ห้องสมุดกลาง',
  ligature: 'Menu\nThe o\ufb03ce of \ufb01nance serves an \u00e9clair.',
} as const;

/** A search server may have to be fetched first. */
const START_TIMEOUT_MS = 300_000;

/** The contract of every lexical adapter, run on each of them. */
export const lexicalIndexContract = (name: string, open: () => Promise<LexicalHarness>): void => {
  describe(`the lexical index on ${name}`, () => {
    let harness: LexicalHarness;
    let reader: FolderReader;
    let folderId: string;
    const ids = new Map<string, string>();
    const workspaceId = randomUUID();

    const documentOf = (body: string, given: Partial<LexicalDocument> = {}): LexicalDocument => ({
      chunkId: randomUUID(),
      itemId: randomUUID(),
      workspaceId,
      folderId,
      superseded: false,
      expiresAt: null,
      body,
      ...given,
    });
    let position = 0;
    const put = async (...documents: LexicalDocument[]): Promise<void> =>
      harness.write(documents.map((document) => ({ kind: 'put', position: ++position, document })));
    const search = (query: string, within: FolderReader = reader, limit = 20) =>
      harness.index.search(query, within, limit);
    const best = async (query: string): Promise<string | undefined> => (await search(query))[0]?.chunkId;

    beforeAll(async () => {
      harness = await open();
      folderId = await harness.addFolder(workspaceId, 'personal');
      reader = { workspaceId, folderIds: null, seesSensitive: false };
      const documents = Object.entries(TEXTS).map(([key, body]) => [key, documentOf(body)] as const);
      for (const [key, { chunkId }] of documents) ids.set(key, chunkId);
      await put(...documents.map(([, document]) => document));
    }, START_TIMEOUT_MS);
    afterAll(() => harness.close(), START_TIMEOUT_MS);

    it.each([
      ['an exact string', 'gives consent at /authorize', 'consent'],
      ['a proper noun', 'Bergström', 'name'],
      ['a function name', 'getUserById', 'lookup'],
      ['a name in snake case', 'max_retry_count', 'snake'],
      ['an API path', '/authorize', 'consent'],
      ['an error code', 'ERR_CONN_4711', 'error'],
      ['an error number', '-32605', 'rpc'],
      ['a name in another case', 'GETUSERBYID', 'lookup'],
    ])('[G-14] finds %s first', async (_, query, key) => {
      expect(await best(query)).toBe(ids.get(key));
    });

    it.each([
      ['a Japanese word inside a sentence', '灯台', 'japanese'],
      ['another', 'ランプ', 'japanese'],
      ['a Chinese word', '长城', 'chinese'],
      ['one ideograph', '猫', 'chinese'],
      ['a Thai word', 'ห้องสมุด', 'thai'],
      ['a word with a ligature', 'finance', 'ligature'],
      ['a word in wide letters', 'ｆｉｎａｎｃｅ', 'ligature'],
      ['a word with a loose accent', 'e\u0301clair', 'ligature'],
    ])('[G-14] finds %s', async (_, query, key) => {
      expect((await search(query)).map(({ chunkId }) => chunkId)).toEqual([ids.get(key)]);
    });

    it('[G-13] matches words of title and text by their stems, and ignores stop words', async () => {
      expect(await best('glacier talk')).toBe(ids.get('name'));
      expect(await best('what about the tomato')).toBe(ids.get('filler'));
      expect(await best('gardening')).toBe(ids.get('filler'));
    });

    it('answers best first, with positive scores and without non-matches', async () => {
      const hits = await search('setting retries job');
      expect(hits.map(({ chunkId }) => chunkId).sort()).toEqual([ids.get('snake'), ids.get('filler')].sort());
      expect(hits[0]!.chunkId).toBe(ids.get('snake'));
      expect(hits[0]!.score).toBeGreaterThan(hits[1]!.score);
      expect(hits[1]!.score).toBeGreaterThan(0);
    });

    it.each([
      ['only stop words', 'the of and to'],
      ['quotes and operators', '"unterminated AND ( OR * ~ ^2 && || ! \\ : {x} <-> <@>'],
      ['a script of another language', "'; drop table lexical.documents; --"],
      ['emoji', '😀👩‍👩‍👧‍👦'],
      ['blanks', '   '],
      ['an unknown word', 'xyzzyplugh'],
      ['one long word', 'x'.repeat(QUERY_CHARS_MAX)],
      [
        'a thousand different words',
        Array.from({ length: 500 }, (_, i) => `q${i}`)
          .join(' ')
          .slice(0, QUERY_CHARS_MAX),
      ],
    ])('treats %s as words and finds nothing', async (_, query) => {
      expect(await search(query)).toEqual([]);
    });

    it('stays within the workspace, the folders and the tier', async () => {
      const other = randomUUID();
      const [second, secret, foreign] = [
        await harness.addFolder(workspaceId, 'personal'),
        await harness.addFolder(workspaceId, 'sensitive'),
        await harness.addFolder(other, 'personal'),
      ];
      const documents = [
        documentOf('quokka one'),
        documentOf('quokka two', { folderId: second }),
        documentOf('quokka three', { folderId: secret }),
        documentOf('quokka four', { folderId: foreign, workspaceId: other }),
      ];
      await put(...documents);
      const found = async (within: Partial<FolderReader>) =>
        (await search('quokka', { ...reader, ...within })).map(({ chunkId }) => chunkId).sort();
      const chunks = (...at: number[]) => at.map((i) => documents[i]!.chunkId).sort();
      expect(await found({})).toEqual(chunks(0, 1));
      expect(await found({ folderIds: [second] })).toEqual(chunks(1));
      expect(await found({ folderIds: [second, secret] })).toEqual(chunks(1));
      expect(await found({ folderIds: [foreign] })).toEqual([]);
      expect(await found({ folderIds: [] })).toEqual([]);
      expect(await found({ seesSensitive: true })).toEqual(chunks(0, 1));
      expect(await found({ workspaceId: other })).toEqual(chunks(3));
    });

    it('scores as if nothing was stored in a sensitive folder', async () => {
      await put(documentOf('echidna walks'), documentOf('an echidna in a hollow log'));
      const before = await search('echidna log');
      const secret = await harness.addFolder(workspaceId, 'sensitive');
      await put(...Array.from({ length: 6 }, () => documentOf('echidna echidna log', { folderId: secret })));
      expect(before).toHaveLength(2);
      expect(await search('echidna log')).toEqual(before);
      expect(await search('echidna log', { ...reader, folderIds: [secret], seesSensitive: true })).toEqual([]);
    });

    it('drops a folder that becomes sensitive at once and completely, and finds it in its current state when it no longer is', async () => {
      const [folder, open] = [
        await harness.addFolder(workspaceId, 'personal'),
        await harness.addFolder(workspaceId, 'personal'),
      ];
      const item = (text: string, within: string) =>
        documentOf(`Marsupials\n${text}`, { folderId: within, itemId: randomUUID() });
      const [first, replaced, left] = [
        item('dunnart one', folder),
        item('dunnart two', folder),
        item('dunnart three', folder),
      ];
      await put(first, replaced, left);
      const found = async () => (await search('dunnart')).map(({ chunkId }) => chunkId).sort();
      const chunks = (...documents: LexicalDocument[]) => documents.map(({ chunkId }) => chunkId).sort();
      expect(await found()).toEqual(chunks(first, replaced, left));
      await harness.setTier(folder, 'sensitive', ++position);
      expect(await found()).toEqual([]);
      const to = (folderId: string) => ({ folderId, superseded: false, expiresAt: null, title: 'Marsupials' });
      const [later, entered] = [item('dunnart four', folder), item('dunnart five', open)];
      await put(later, entered);
      await harness.write([
        { kind: 'supersede', position: ++position, itemId: replaced.itemId, inKb: true },
        { kind: 'move', position: ++position, itemId: left.itemId, to: to(open) },
        { kind: 'move', position: ++position, itemId: entered.itemId, to: to(folder) },
      ]);
      expect(await found()).toEqual(chunks(left));
      await harness.setTier(folder, 'personal', ++position);
      expect(await found()).toEqual(chunks(first, left, later, entered));
      expect((await search('marsupials', { ...reader, folderIds: [folder] })).length).toBe(3);
    });

    it('filters before the limit: a small folder among many better matches is returned completely', async () => {
      const small = await harness.addFolder(workspaceId, 'personal');
      const crowd = Array.from({ length: 300 }, () => documentOf('wombat wombat wombat'));
      const few = Array.from({ length: 3 }, () => documentOf('a wombat among other animals', { folderId: small }));
      await put(...crowd, ...few);
      const found = await search('wombat', { ...reader, folderIds: [small] }, 3);
      expect(found.map(({ chunkId }) => chunkId).sort()).toEqual(few.map(({ chunkId }) => chunkId).sort());
    });

    it('hides superseded and expired items', async () => {
      const item = randomUUID();
      const current = documentOf('numbat today', { expiresAt: '2999-01-01T00:00:00Z' });
      await put(
        current,
        documentOf('numbat gone', { expiresAt: '2001-01-01T00:00:00Z' }),
        documentOf('numbat old', { superseded: true }),
        documentOf('numbat replaced', { itemId: item }),
        documentOf('numbat replaced too', { itemId: item }),
      );
      await harness.write([{ kind: 'supersede', position: ++position, itemId: item, inKb: true }]);
      expect((await search('numbat')).map(({ chunkId }) => chunkId)).toEqual([current.chunkId]);
    });

    it('[G-29] moves an item with all its chunks, and keeps their words', async () => {
      const [other, itemId] = [await harness.addFolder(workspaceId, 'personal'), randomUUID()];
      const documents = [
        documentOf('Marsupials\nkowari one', { itemId }),
        documentOf('Marsupials\nkowari two', { itemId }),
      ];
      await put(...documents);
      const within = async (folder: string, words = 'kowari') =>
        (await search(words, { ...reader, folderIds: [folder] })).map(({ chunkId }) => chunkId).sort();
      const both = documents.map(({ chunkId }) => chunkId).sort();
      expect(await within(folderId)).toEqual(both);
      const to = { folderId: other, superseded: false, expiresAt: null, title: 'Marsupials' };
      await harness.write([{ kind: 'move', position: ++position, itemId, to }]);
      expect(await within(folderId)).toEqual([]);
      expect(await within(other)).toEqual(both);
      expect(await within(other, 'marsupials')).toEqual(both);
    });

    it('[G-29] removes an item from the index and restores it, superseded or not', async () => {
      const itemId = randomUUID();
      const document = documentOf('Animals\npotoroo', { itemId });
      await put(document, documentOf('Animals\npotoroo of another item'));
      await harness.write([{ kind: 'remove', position: ++position, itemId }]);
      expect(await search('potoroo')).toHaveLength(1);
      await harness.write([{ kind: 'remove', position: ++position, itemId }]);
      expect(await search('potoroo')).toHaveLength(1);
      await put(document);
      expect(await search('potoroo')).toHaveLength(2);
      await put({ ...document, superseded: true });
      expect(await search('potoroo')).toHaveLength(1);
    });

    it('removes and restores in log order, within one batch', async () => {
      const itemId = randomUUID();
      const [stays, goes] = [documentOf('bilby stays', { itemId }), documentOf('bilby goes', { itemId: randomUUID() })];
      await put(stays, goes);
      await harness.write([
        { kind: 'remove', position: ++position, itemId },
        { kind: 'put', position: ++position, document: stays },
        { kind: 'put', position: ++position, document: goes },
        { kind: 'remove', position: ++position, itemId: goes.itemId },
      ]);
      expect((await search('bilby')).map(({ chunkId }) => chunkId)).toEqual([stays.chunkId]);
    });

    it('accepts the same change twice without a second document, and replaces a changed one', async () => {
      const document = documentOf('bandicoot before');
      await put(document, document);
      await put({ ...document, body: 'bandicoot after' });
      expect(await search('bandicoot')).toHaveLength(1);
      expect(await search('before bandicoot')).toHaveLength(1);
      expect(await best('after')).not.toBe(document.chunkId);
      expect((await search('bandicoot'))[0]).toMatchObject({ chunkId: document.chunkId, itemId: document.itemId });
    });
  });
};
