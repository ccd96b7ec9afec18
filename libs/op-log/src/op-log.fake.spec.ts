import { InMemoryOpLog } from './op-log.fake.js';
import { describeOpLog } from './op-log.contract.js';

describeOpLog('the op-log of a test', () => new InMemoryOpLog());
