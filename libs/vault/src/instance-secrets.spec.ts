import { hkdfSync, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { systemIds } from '@cairn/kernel';
import { keyedHash } from './cipher.js';
import { createKek } from './kek.js';
import { KeyRing } from './key-ring.js';
import { InMemoryKeyStore } from './key-store.fake.js';
import { signerOf } from './signer.js';
import { Vault } from './vault.js';

const [workspace, other] = [systemIds.next(), systemIds.next()];
const kek = createKek();

const vaultOn = (store: InMemoryKeyStore, ring = new KeyRing({ kek })): Vault => new Vault(ring, store);

/** Values that were derived from the KEK before an installation had its own secrets. */
const derivedFrom = (base64: string, salt: string, info: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', Buffer.from(base64, 'base64'), salt, info, 32));

describe('the secrets of an installation', () => {
  it('are created once when several processes start together', async () => {
    const store = new InMemoryKeyStore();
    expect(await vaultOn(store).findSecrets()).toBeUndefined();
    await expect(vaultOn(store).secrets()).rejects.toMatchObject({ code: 'key.unavailable' });
    const made = await Promise.all([1, 2, 3].map(() => vaultOn(store).foundSecrets([])));
    const again = await vaultOn(store).secrets();
    for (const secrets of made) expect(secrets.signingKey).toEqual(again.signingKey);
  });

  it('make signatures that the public key verifies', async () => {
    const secrets = await vaultOn(new InMemoryKeyStore()).foundSecrets([]);
    const { signature, keyId } = secrets.sign('a receipt');
    const { publicKey, keyId: named } = secrets.signingKey;
    expect(named).toBe(keyId);
    expect(verify(null, Buffer.from('a receipt'), publicKey, Buffer.from(signature, 'base64'))).toBe(true);
    expect(verify(null, Buffer.from('a receipt!'), publicKey, Buffer.from(signature, 'base64'))).toBe(false);
    expect((await vaultOn(new InMemoryKeyStore()).foundSecrets([])).signingKey.keyId).not.toBe(keyId);
  });

  it('give equal payload hashes only within one workspace of one installation', async () => {
    const secrets = await vaultOn(new InMemoryKeyStore()).foundSecrets([]);
    const hash = secrets.payloadHash(workspace, 'payload');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(secrets.payloadHash(workspace, 'payload')).toBe(hash);
    expect(secrets.payloadHash(workspace, 'payload.')).not.toBe(hash);
    expect(secrets.payloadHash(other, 'payload')).not.toBe(hash);
    const elsewhere = await vaultOn(new InMemoryKeyStore()).foundSecrets([]);
    expect(elsewhere.payloadHash(workspace, 'payload')).not.toBe(hash);
  });

  it('do not open with the KEK of another installation', async () => {
    const store = new InMemoryKeyStore();
    await vaultOn(store).foundSecrets([]);
    const foreign = vaultOn(store, new KeyRing({ kek: createKek() }));
    await expect(foreign.findSecrets()).rejects.toMatchObject({ code: 'key.unavailable' });
  });

  it.each([
    ['before it is rotated', { kek }],
    ['while it is rotated', { kek: createKek(), previousKeks: [kek] }],
    ['while the next one is only prepared', { kek, previousKeks: [createKek()] }],
  ])('of an older installation stay those derived from its KEK, %s', async (_, config) => {
    const store = new InMemoryKeyStore();
    const before = vaultOn(store);
    const itemId = systemIds.next();
    await before.keep(workspace, itemId, before.mint(workspace, itemId, []));
    const secrets = await vaultOn(store, new KeyRing(config)).foundSecrets([workspace]);
    expect(secrets.signingKey.keyId).toBe(signerOf(derivedFrom(kek, '', 'cairn:receipts:1')).keyId);
    const payloadKey = derivedFrom(kek, workspace, 'cairn:payload-hash:1');
    expect(secrets.payloadHash(workspace, 'payload')).toBe(keyedHash(payloadKey, 'payload'));
    const next = derivedFrom(kek, other, 'cairn:payload-hash:1');
    expect(secrets.payloadHash(other, 'payload')).not.toBe(keyedHash(next, 'payload'));
  });
});
