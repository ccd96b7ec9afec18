import { describeKeyStore } from './key-store.contract.js';
import { InMemoryKeyStore } from './key-store.fake.js';

const store = new InMemoryKeyStore();
describeKeyStore('the key store of a test', () => store);
