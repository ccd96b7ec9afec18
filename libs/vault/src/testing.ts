/** Test support of @cairn/vault: for specs of this and other projects, never compiled. */
export { InMemoryKeyStore } from './key-store.fake.js';
