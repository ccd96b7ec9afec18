import { vectorCandidatesContract } from './vector-candidates.contract.js';
import { NO_CANDIDATES } from './vector-candidates.port.js';

const done = () => Promise.resolve();

vectorCandidatesContract('the database alone', () => ({ candidates: NO_CANDIDATES, caughtUp: done, close: done }));
