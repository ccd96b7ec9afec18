import { rateCounterContract } from './rate-counter.contract.js';
import { InMemoryRateCounter } from './rate-counter.fake.js';

const counter = new InMemoryRateCounter();
rateCounterContract('the counter of tests', () => counter);
