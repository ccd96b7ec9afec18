import { budgetCounterContract } from './budget-counter.contract.js';
import { InMemoryBudgetCounter } from './budget-counter.fake.js';

const counter = new InMemoryBudgetCounter();
budgetCounterContract('the counter of tests', () => counter);
