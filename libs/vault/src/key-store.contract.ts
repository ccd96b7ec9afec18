import { describe, expect, it } from '@jest/globals';
import { systemIds } from '@cairn/kernel';
import type { KeyRecord, KeyStore } from './key-store.port.js';

const record = (item: string): KeyRecord => ({ item, chunks: { [systemIds.next()]: 'd3JhcHBlZA==' } });

/** What every key store owes the vault; run on the fake and on the bucket. */
export function describeKeyStore(name: string, open: () => KeyStore): void {
  describe(`${name} keeps the contract of a key store`, () => {
    it('gives back what was put', async () => {
      const [workspace, item] = [systemIds.next(), systemIds.next()];
      const kept = record('a2V5');
      await open().put(workspace, item, kept);
      expect(await open().get(workspace, item)).toEqual(kept);
    });

    it('knows nothing of other items and workspaces', async () => {
      const [workspace, item] = [systemIds.next(), systemIds.next()];
      await open().put(workspace, item, record('a2V5'));
      expect(await open().get(workspace, systemIds.next())).toBeUndefined();
      expect(await open().get(systemIds.next(), item)).toBeUndefined();
    });

    it('gives back the newest record', async () => {
      const [workspace, item] = [systemIds.next(), systemIds.next()];
      for (const key of ['b2xk', 'bWlk', 'bmV3']) await open().put(workspace, item, record(key));
      expect((await open().get(workspace, item))!.item).toBe('bmV3');
    });

    it('keeps what is put at the same moment', async () => {
      const workspace = systemIds.next();
      const items = Array.from({ length: 20 }, () => systemIds.next());
      await Promise.all(items.map((item) => open().put(workspace, item, record(item))));
      for (const item of items) expect((await open().get(workspace, item))!.item).toBe(item);
    });

    it('keeps the keys of the longest item', async () => {
      const [workspace, item] = [systemIds.next(), systemIds.next()];
      const chunks = Object.fromEntries(Array.from({ length: 4_000 }, () => [systemIds.next(), 'x'.repeat(80)]));
      await open().put(workspace, item, { item: 'a2V5', chunks });
      expect(await open().get(workspace, item)).toEqual({ item: 'a2V5', chunks });
    });
  });
}
