/**
 * Data keys and envelope encryption: a random key per item and per chunk, wrapped by the key-encryption key (KEK), kept
 * in the KEYS bucket, and wrapped again when the KEK is replaced. Never derives a data key, and never writes one
 * unencrypted.
 */
export { fieldAad, keyedHash, open, seal } from './cipher.js';
export { edgeRef, openName, sealName, type EdgeKeys } from './graph-cipher.js';
export { openMeta, openText, openVector, sealMeta, sealText, sealVector } from './item-cipher.js';
export {
  openAccount,
  openFindings,
  openServerSecrets,
  openWaitingText,
  sealAccount,
  sealFindings,
  sealServerSecrets,
  sealWaitingText,
} from './json-cipher.js';
export { JetStreamKeyStore } from './jetstream-key-store.js';
export { InstanceSecrets } from './instance-secrets.js';
export { KekFiles } from './kek-files.js';
export { createKek, kekConfig, kekEnv, type KekConfig } from './kek.js';
export { KeyRing } from './key-ring.js';
export type { KeyEntry, KeyRecord, KeyStore } from './key-store.port.js';
export { writeSecretFile } from './secret-file.js';
export { Vault, type ItemKeys } from './vault.js';
