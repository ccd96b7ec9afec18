import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { systemIds } from '@cairn/kernel';
import { createKek } from './kek.js';
import { KeyRing } from './key-ring.js';
import { InMemoryKeyStore } from './key-store.fake.js';
import { Vault } from './vault.js';

const closed = expect.objectContaining({ code: 'key.unavailable' });
const [kek, older, oldest] = [createKek(), createKek(), createKek()];
const key = randomBytes(32);

describe('a key ring', () => {
  const ring = new KeyRing({ kek, previousKeks: [older, oldest] });

  it('wraps with the current KEK and opens with any', () => {
    expect(new KeyRing({ kek }).unwrap('a', ring.wrap('a', key))).toEqual(key);
    for (const one of [kek, older, oldest])
      expect(ring.unwrap('a', new KeyRing({ kek: one }).wrap('a', key))).toEqual(key);
  });

  it('does not open a key with a KEK that it does not have, or in another place', () => {
    expect(() => ring.unwrap('a', new KeyRing({ kek: createKek() }).wrap('a', key))).toThrow(closed);
    expect(() => ring.unwrap('b', ring.wrap('a', key))).toThrow(closed);
    expect(() => ring.unwrap('a', Buffer.alloc(0))).toThrow(closed);
  });

  it('rewraps a key that is under another KEK, and leaves the others', () => {
    expect(ring.rewrap('a', ring.wrap('a', key))).toBeUndefined();
    const rewrapped = ring.rewrap('a', new KeyRing({ kek: oldest }).wrap('a', key))!;
    expect(new KeyRing({ kek }).unwrap('a', rewrapped)).toEqual(key);
    expect(() => ring.rewrap('a', new KeyRing({ kek: createKek() }).wrap('a', key))).toThrow(closed);
  });

  it('rotates while it has a KEK other than the current one', () => {
    expect(ring.isRotating).toBe(true);
    expect(new KeyRing({ kek, previousKeks: [kek] }).isRotating).toBe(false);
    expect(new KeyRing({ kek }).isRotating).toBe(false);
  });

  it('gives the current KEK the same id everywhere, whatever other KEKs it has', () => {
    expect(ring.id).toMatch(/^[0-9a-f]{8}$/);
    expect(new KeyRing({ kek }).id).toBe(ring.id);
    expect(new KeyRing({ kek: older, previousKeks: [kek] }).id).not.toBe(ring.id);
  });
});

describe('a vault with a key ring', () => {
  const [workspace, item, gone, stays] = [systemIds.next(), systemIds.next(), systemIds.next(), systemIds.next()];
  const rotated = { kek, previousKeks: [older] };

  const filled = async (): Promise<{ store: InMemoryKeyStore; item: Uint8Array }> => {
    const store = new InMemoryKeyStore();
    const vault = new Vault(new KeyRing({ kek: older }), store);
    const keys = vault.mint(workspace, item, [gone, stays]);
    await vault.keep(workspace, item, keys);
    await vault.destroyChunks(workspace, item, [gone]);
    return { store, item: keys.item };
  };

  it('returns copies under the current KEK before the key store is rewrapped', async () => {
    const { store, item: minted } = await filled();
    const { wrapped } = await new Vault(new KeyRing(rotated), store).get(workspace, item);
    const own = new Vault(new KeyRing({ kek }), store);
    expect(own.unwrap(workspace, item, Buffer.from(wrapped.item, 'base64'))).toEqual(minted);
    expect(wrapped.chunks[gone]).toBe('');
    await expect(own.get(workspace, item)).rejects.toEqual(closed);
  });

  it('rewraps the whole key store, and restores nothing that was destroyed', async () => {
    const { store, item: minted } = await filled();
    const vault = new Vault(new KeyRing(rotated), store);
    for await (const entry of vault.entries()) await vault.replace(entry, vault.rewrapEntry(entry)!);
    for await (const entry of vault.entries()) expect(vault.rewrapEntry(entry)).toBeUndefined();
    const keys = await new Vault(new KeyRing({ kek }), store).get(workspace, item);
    expect(keys.item).toEqual(minted);
    expect([...keys.chunks.keys()]).toEqual([stays]);
  });

  it('keeps the fields of a record that only a newer version knows', async () => {
    const { store } = await filled();
    const since = { since: 2 };
    await store.put(workspace, item, { ...(await store.get(workspace, item))!, ...since });
    const vault = new Vault(new KeyRing(rotated), store);
    for await (const entry of vault.entries()) await vault.replace(entry, vault.rewrapEntry(entry) ?? entry.record);
    await vault.destroyChunks(workspace, item, [stays]);
    expect(await store.get(workspace, item)).toMatchObject({ ...since, chunks: { [gone]: '', [stays]: '' } });
  });
});
