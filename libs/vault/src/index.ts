/**
 * Data keys and envelope encryption: a random key per item and per chunk, wrapped by the key-encryption key, kept in
 * the KEYS bucket. Refuses to derive a key or to write one anywhere in the clear.
 */
export { fieldAad, keyedHash, open, seal } from './cipher.js';
export { openWaitingText, sealWaitingText } from './confirmation-cipher.js';
export { openMeta, openText, openVector, sealMeta, sealText, sealVector } from './item-cipher.js';
export { JetStreamKeyStore } from './jetstream-key-store.js';
export { createKek, kekEnv } from './kek.js';
export { InMemoryKeyStore } from './key-store.fake.js';
export type { KeyRecord, KeyStore } from './key-store.port.js';
export { Vault, type ItemKeys } from './vault.js';
