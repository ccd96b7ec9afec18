import { describe, expect, it } from '@jest/globals';
import { systemIds } from '@cairn/kernel';
import { fieldAad, keyedHash, open, seal } from './cipher.js';
import { openName } from './graph-cipher.js';
import { openMeta, openText, openVector, sealMeta, sealText, sealVector } from './item-cipher.js';
import { openAccount, openFindings, openServerSecrets, openWaitingText, sealAccount } from './json-cipher.js';
import { createKek, kekConfig, kekEnv } from './kek.js';
import { KeyRing } from './key-ring.js';
import { InMemoryKeyStore } from './key-store.fake.js';
import { Vault } from './vault.js';

const newKey = (): Buffer => Buffer.from(createKek(), 'base64');
const [workspace, item, chunk] = [systemIds.next(), systemIds.next(), systemIds.next()];
const closed = expect.objectContaining({ code: 'key.unavailable', kind: 'unavailable' });

/** Stored data was sealed for these places: a change of one makes it unreadable. */
describe('the place of a sealed value', () => {
  it.each([
    ['connector.connected', openAccount, { label: 'Notes', settings: {} }],
    ['server.registered', openServerSecrets, { url: 'https://mcp.example.com/' }],
    [
      'confirmation.requested',
      openWaitingText,
      { suggestedName: 'Garden', label: null, text: 'Rain.', candidates: [] },
    ],
    ['edge.observed', openFindings, { mentions: [], edges: [] }],
  ])('is that of %s, version 1', (type, opened, value) => {
    const key = newKey();
    const sealed = seal(key, `${workspace}|${item}|${type}|1`, Buffer.from(JSON.stringify(value)));
    expect(opened(key, workspace, item, sealed)).toEqual(value);
  });

  it('is that of entity.merged, version 1, for a name', () => {
    const key = newKey();
    const sealed = seal(key, `${workspace}|${chunk}|entity.merged|1`, Buffer.from('Alice Chen'));
    expect(openName(key, workspace, chunk, sealed)).toBe('Alice Chen');
  });
});

describe('sealing', () => {
  const key = newKey();
  const aad = fieldAad(workspace, chunk, 'item.stored', 1);
  const sealed = seal(key, aad, Buffer.from('a secret'));

  it('opens with its key in its place', () => {
    expect(open(key, aad, sealed).toString()).toBe('a secret');
    expect(sealed.includes('a secret')).toBe(false);
  });

  it('gives another ciphertext each time', () => {
    expect(seal(key, aad, Buffer.from('a secret')).equals(sealed)).toBe(false);
  });

  it.each([
    ['another workspace', fieldAad(systemIds.next(), chunk, 'item.stored', 1)],
    ['another owner', fieldAad(workspace, systemIds.next(), 'item.stored', 1)],
    ['another event', fieldAad(workspace, chunk, 'chunk.corrected', 1)],
    ['another version', fieldAad(workspace, chunk, 'item.stored', 2)],
  ])('does not open in the place of %s', (_, otherAad) => {
    expect(() => open(key, otherAad, sealed)).toThrow(closed);
  });

  it('does not open with another key', () => {
    expect(() => open(newKey(), aad, sealed)).toThrow(closed);
  });

  it('does not open when any byte was changed, or some are missing', () => {
    for (let i = 0; i < sealed.length; i++) {
      const tampered = Buffer.from(sealed);
      tampered[i]! ^= 1;
      expect(() => open(key, aad, tampered)).toThrow(closed);
    }
    for (const length of [0, 11, 27, sealed.length - 1]) {
      expect(() => open(key, aad, sealed.subarray(0, length))).toThrow(closed);
    }
  });
});

describe('the fields of an item', () => {
  const key = newKey();

  it('are opened unchanged', () => {
    const meta = { title: 'Ein Titel 😀', tags: ['a', 'b'], sourceUri: 'https://example.org' };
    const vector = Float32Array.from({ length: 384 }, (_, i) => Math.sin(i));
    expect(openText(key, workspace, chunk, sealText(key, workspace, chunk, 'Text\n'))).toBe('Text\n');
    expect(openMeta(key, workspace, item, sealMeta(key, workspace, item, meta))).toEqual(meta);
    expect(openVector(key, workspace, chunk, sealVector(key, workspace, chunk, vector))).toEqual(vector);
  });

  it('keep what only a newer version knows, so that sealing them again loses nothing', () => {
    const meta = { title: 'A title', tags: [], mood: { of: 'the day' } };
    expect(openMeta(key, workspace, item, sealMeta(key, workspace, item, meta))).toEqual(meta);
    const secrets = { label: 'A', settings: {}, region: 'north' };
    expect(openAccount(key, workspace, item, sealAccount(key, workspace, item, secrets))).toEqual(secrets);
  });

  it('cannot be confused with each other', () => {
    const text = sealText(key, workspace, chunk, 'Text');
    expect(() => openVector(key, workspace, chunk, text)).toThrow(closed);
    expect(() => openText(key, workspace, systemIds.next(), text)).toThrow(closed);
  });

  it('have hashes that are useless without the key', () => {
    expect(keyedHash(key, 'Text')).toMatch(/^[0-9a-f]{64}$/);
    expect(keyedHash(key, 'Text')).toBe(keyedHash(key, 'Text'));
    expect(keyedHash(newKey(), 'Text')).not.toBe(keyedHash(key, 'Text'));
  });
});

describe('the vault', () => {
  const kek = new KeyRing({ kek: createKek() });

  it('mints a key for the item and each chunk, and stores them only wrapped', async () => {
    const store = new InMemoryKeyStore();
    const vault = new Vault(kek, store);
    const keys = vault.mint(workspace, item, [chunk]);
    expect(await store.get(workspace, item)).toBeUndefined();
    await vault.keep(workspace, item, keys);
    const kept = JSON.stringify(await store.get(workspace, item));
    for (const key of [keys.item, ...keys.chunks.values()]) {
      expect(key).toHaveLength(32);
      expect(kept).not.toContain(Buffer.from(key).toString('base64'));
    }
  });

  it('returns the same keys to another process with the same key-encryption key', async () => {
    const store = new InMemoryKeyStore();
    const writer = new Vault(kek, store);
    const minted = writer.mint(workspace, item, [chunk]);
    await writer.keep(workspace, item, minted);
    const read = await new Vault(kek, store).get(workspace, item);
    expect(Buffer.from(read.item).equals(Buffer.from(minted.item))).toBe(true);
    expect(Buffer.from(read.chunks.get(chunk)!).equals(Buffer.from(minted.chunks.get(chunk)!))).toBe(true);
  });

  it('refuses to open keys with another key-encryption key', async () => {
    const store = new InMemoryKeyStore();
    const writer = new Vault(kek, store);
    await writer.keep(workspace, item, writer.mint(workspace, item, [chunk]));
    await expect(new Vault(new KeyRing({ kek: createKek() }), store).get(workspace, item)).rejects.toEqual(closed);
  });

  it('rejects a wrapped key that was moved to another owner', () => {
    const vault = new Vault(kek, new InMemoryKeyStore());
    const { wrapped } = vault.mint(workspace, item, [chunk]);
    const bytes = Buffer.from(wrapped.chunks[chunk]!, 'base64');
    expect(vault.unwrap(workspace, chunk, bytes)).toHaveLength(32);
    expect(() => vault.unwrap(workspace, systemIds.next(), bytes)).toThrow(closed);
    expect(() => vault.unwrap(systemIds.next(), chunk, bytes)).toThrow(closed);
  });

  it('reports whether keys are gone', async () => {
    const vault = new Vault(kek, new InMemoryKeyStore());
    expect(await vault.find(workspace, item)).toBeUndefined();
    await expect(vault.get(workspace, item)).rejects.toEqual(closed);
  });

  it('[N-59] does not return destroyed keys, and distinguishes them from lost ones', async () => {
    const vault = new Vault(kek, new InMemoryKeyStore());
    const [gone, stays] = [systemIds.next(), systemIds.next()];
    await vault.keep(workspace, item, vault.mint(workspace, item, [gone, stays]));
    await vault.destroyChunks(workspace, item, [gone]);
    expect([...(await vault.livingKeys(workspace, item))!.chunks.keys()]).toEqual([stays]);
    await vault.destroy(workspace, item);
    expect(await vault.livingKeys(workspace, item)).toBeUndefined();
    await expect(vault.livingKeys(workspace, systemIds.next())).rejects.toEqual(closed);
  });

  it('accepts only a key-encryption key of 32 bytes in base64', () => {
    expect(kekEnv.safeParse({ CAIRN_KEK: createKek() }).success).toBe(true);
    expect(kekEnv.safeParse({ CAIRN_KEK: 'c2hvcnQ=' }).success).toBe(false);
    expect(kekEnv.safeParse({ CAIRN_KEK: 'not base64!' }).success).toBe(false);
    const [kek, older, oldest] = [createKek(), createKek(), createKek()];
    expect(kekEnv.parse({ CAIRN_KEK: kek }).CAIRN_KEK_PREVIOUS).toEqual([]);
    const given = kekEnv.parse({ CAIRN_KEK: kek, CAIRN_KEK_PREVIOUS: `${older}, ${oldest}` });
    expect(kekConfig(given)).toEqual({ kek, previousKeks: [older, oldest] });
    const bad = kekEnv.safeParse({ CAIRN_KEK: kek, CAIRN_KEK_PREVIOUS: `${older},c2hvcnQ=` });
    expect(bad.error!.issues).toMatchObject([
      { path: ['CAIRN_KEK_PREVIOUS', 1], message: 'must be 32 bytes in base64' },
    ]);
  });
});
