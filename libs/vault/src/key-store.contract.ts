import { describe, expect, it } from '@jest/globals';
import { systemIds } from '@cairn/kernel';
import type { KeyEntry, KeyRecord, KeyStore } from './key-store.port.js';

const record = (item: string): KeyRecord => ({ item, chunks: { [systemIds.next()]: 'd3JhcHBlZA==' } });

const entriesOf = async (store: KeyStore, workspace: string): Promise<KeyEntry[]> => {
  const entries: KeyEntry[] = [];
  for await (const entry of store.entries()) if (entry.workspaceId === workspace) entries.push(entry);
  return entries;
};

/** The guarantees of every key store for the vault; run on the fake and on the bucket. */
export const describeKeyStore = (name: string, open: () => KeyStore): void => {
  describe(`${name} fulfils the contract of a key store`, () => {
    it('returns the record that was put', async () => {
      const [workspace, item] = [systemIds.next(), systemIds.next()];
      const kept = record('a2V5');
      await open().put(workspace, item, kept);
      expect(await open().get(workspace, item)).toEqual(kept);
    });

    it('has no record for other items and workspaces', async () => {
      const [workspace, item] = [systemIds.next(), systemIds.next()];
      await open().put(workspace, item, record('a2V5'));
      expect(await open().get(workspace, systemIds.next())).toBeUndefined();
      expect(await open().get(systemIds.next(), item)).toBeUndefined();
    });

    it('returns the newest record', async () => {
      const [workspace, item] = [systemIds.next(), systemIds.next()];
      for (const key of ['b2xk', 'bWlk', 'bmV3']) await open().put(workspace, item, record(key));
      expect((await open().get(workspace, item))!.item).toBe('bmV3');
    });

    it('keeps records that are put at the same time', async () => {
      const workspace = systemIds.next();
      const items = Array.from({ length: 20 }, () => systemIds.next());
      await Promise.all(items.map((item) => open().put(workspace, item, record(item))));
      for (const item of items) expect((await open().get(workspace, item))!.item).toBe(item);
    });

    it('returns many at once, and undefined for those that do not exist', async () => {
      const [workspace, gone] = [systemIds.next(), systemIds.next()];
      const items = Array.from({ length: 300 }, () => systemIds.next());
      await Promise.all([gone, ...items].map((item) => open().put(workspace, item, record(item))));
      await open().destroy(workspace, gone);
      const missing = systemIds.next();
      const asked = [missing, ...items, gone, items[0]!];
      const found = await Promise.all(asked.map((item) => open().get(workspace, item)));
      expect(found.map((one) => one?.item)).toEqual([undefined, ...items, undefined, items[0]]);
      const none = [missing, systemIds.next(), systemIds.next()];
      expect(await Promise.all(none.map((item) => open().get(workspace, item)))).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    });

    it('destroys a record, also repeatedly, and leaves others unchanged', async () => {
      const [workspace, item, other] = [systemIds.next(), systemIds.next(), systemIds.next()];
      for (const key of ['b2xk', 'bmV3']) await open().put(workspace, item, record(key));
      await open().put(workspace, other, record('a2V5'));
      for (const gone of [item, item, systemIds.next()]) await open().destroy(workspace, gone);
      expect(await open().get(workspace, item)).toBeUndefined();
      expect((await open().get(workspace, other))!.item).toBe('a2V5');
    });

    it('[N-55] destroys the key of one chunk, also repeatedly, and leaves the others', async () => {
      const [workspace, item, gone, stays] = [systemIds.next(), systemIds.next(), systemIds.next(), systemIds.next()];
      await open().put(workspace, item, { item: 'a2V5', chunks: { [gone]: 'eA==', [stays]: 'eQ==' } });
      for (let i = 0; i < 2; i++) await open().destroyChunks(workspace, item, [gone, systemIds.next()]);
      expect(await open().get(workspace, item)).toEqual({ item: 'a2V5', chunks: { [gone]: '', [stays]: 'eQ==' } });
      await open().destroyChunks(workspace, systemIds.next(), [gone]);
    });

    it('destroys keys of one record for two callers at once', async () => {
      const [workspace, item] = [systemIds.next(), systemIds.next()];
      const ids = Array.from({ length: 4 }, () => systemIds.next());
      await open().put(workspace, item, { item: 'a2V5', chunks: Object.fromEntries(ids.map((id) => [id, 'eA=='])) });
      await Promise.all(ids.map((id) => open().destroyChunks(workspace, item, [id])));
      expect(Object.values((await open().get(workspace, item))!.chunks)).toEqual(['', '', '', '']);
    });

    it('distinguishes a destroyed record from one that never existed', async () => {
      const [workspace, item] = [systemIds.next(), systemIds.next()];
      await open().put(workspace, item, record('a2V5'));
      expect(await open().isDestroyed(workspace, item)).toBe(false);
      await open().destroy(workspace, item);
      expect(await open().isDestroyed(workspace, item)).toBe(true);
      expect(await open().isDestroyed(workspace, systemIds.next())).toBe(false);
    });

    it('restores lost records and marks, and changes nothing that is there', async () => {
      const workspace = systemIds.next();
      const [lost, ended, kept, revived] = Array.from({ length: 4 }, () => systemIds.next()) as [
        string,
        string,
        string,
        string,
      ];
      for (const item of [kept, revived]) await open().put(workspace, item, record('a2V5'));
      const restore = () =>
        Promise.all([
          open().restore(workspace, lost, record('bG9zdA==')),
          open().restore(workspace, ended, undefined),
          open().restore(workspace, kept, record('b2xk')),
          open().restore(workspace, revived, undefined),
        ]);
      expect(await restore()).toEqual([true, true, false, true]);
      expect(await restore()).toEqual([false, false, false, false]);
      const found = await Promise.all([lost, ended, kept, revived].map((item) => open().get(workspace, item)));
      expect(found.map((one) => one?.item)).toEqual(['bG9zdA==', undefined, 'a2V5', undefined]);
      for (const item of [ended, revived]) expect(await open().isDestroyed(workspace, item)).toBe(true);
      expect(await open().restore(workspace, ended, record('bGF0ZQ=='))).toBe(false);
      expect(await open().get(workspace, ended)).toBeUndefined();
    });

    it('creates a record once', async () => {
      const [workspace, item] = [systemIds.next(), systemIds.next()];
      const made = Array.from({ length: 4 }, (_, i) => record(`key-${i}`));
      await Promise.all(made.map((one) => open().create(workspace, item, one)));
      const kept = await open().get(workspace, item);
      expect(made).toContainEqual(kept);
      await open().create(workspace, item, record('bGF0ZQ=='));
      expect(await open().get(workspace, item)).toEqual(kept);
    });

    it('lists every record, and none that was destroyed', async () => {
      const [workspace, gone] = [systemIds.next(), systemIds.next()];
      const items = Array.from({ length: 120 }, () => systemIds.next());
      await Promise.all([...items, gone].map((item) => open().put(workspace, item, record(item))));
      await open().destroy(workspace, gone);
      const seen = (await entriesOf(open(), workspace)).map(({ itemId, record: { item } }) => [itemId, item]);
      expect(seen.sort()).toEqual(items.map((item) => [item, item]).sort());
    });

    it('replaces a record, and lists only the new one', async () => {
      const [workspace, item] = [systemIds.next(), systemIds.next()];
      await open().put(workspace, item, record('b2xk'));
      const [entry] = await entriesOf(open(), workspace);
      await open().replace(entry!, record('bmV3'));
      expect((await open().get(workspace, item))!.item).toBe('bmV3');
      expect((await entriesOf(open(), workspace)).map((one) => one.record.item)).toEqual(['bmV3']);
      expect(await open().revisions(workspace, item)).toBe(1);
    });

    it('does not restore a record that was destroyed after it was read', async () => {
      const [workspace, item, chunk] = [systemIds.next(), systemIds.next(), systemIds.next()];
      const kept = { item: 'b2xk', chunks: { [chunk]: 'eA==' } };
      await open().put(workspace, item, kept);
      const [whole] = await entriesOf(open(), workspace);
      await open().destroyChunks(workspace, item, [chunk]);
      await open().replace(whole!, { ...kept, item: 'bmV3' });
      expect(await open().get(workspace, item)).toEqual({ item: 'b2xk', chunks: { [chunk]: '' } });
      const [rest] = await entriesOf(open(), workspace);
      await open().destroy(workspace, item);
      await open().replace(rest!, record('bmV3'));
      expect(await open().get(workspace, item)).toBeUndefined();
      expect(await open().isDestroyed(workspace, item)).toBe(true);
    });

    it('destroys a record that is being replaced at the same time', async () => {
      const workspace = systemIds.next();
      const items = Array.from({ length: 20 }, () => systemIds.next());
      await Promise.all(items.map((item) => open().put(workspace, item, record('b2xk'))));
      const entries = await entriesOf(open(), workspace);
      await Promise.all(
        entries.flatMap((entry) => [open().replace(entry, record('bmV3')), open().destroy(workspace, entry.itemId)]),
      );
      expect(await entriesOf(open(), workspace)).toEqual([]);
      for (const item of items) expect(await open().revisions(workspace, item)).toBe(1);
    });

    it('keeps the keys of the longest item', async () => {
      const [workspace, item] = [systemIds.next(), systemIds.next()];
      const chunks = Object.fromEntries(Array.from({ length: 4_000 }, () => [systemIds.next(), 'x'.repeat(80)]));
      await open().put(workspace, item, { item: 'a2V5', chunks });
      expect(await open().get(workspace, item)).toEqual({ item: 'a2V5', chunks });
    });
  });
};
