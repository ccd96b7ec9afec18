/** Test support of @cairn/retrieval: for specs of this and other projects, never compiled. */
export { vectorCandidatesContract, type CandidatesUnderTest } from './vector-candidates.contract.js';
