// Statements of the graph, and their evidence.

export const PREDICATE_CHARS_MAX = 64;
/** Edges that one request states, and the length of the text that it may bring as their evidence. */
export const EDGES_PER_CALL_MAX = 64;
export const EVIDENCE_TEXT_CHARS_MAX = 2_000;
/** Edges of one chunk in one op; each has two names. */
export const FINDINGS_PER_CHUNK_MAX = 64;
/** Passages shown as the evidence of an edge. */
export const EVIDENCE_SHOWN_MAX = 3;
/** The highest confidence of an agent's own statement: only a person is certain. */
export const AGENT_CONFIDENCE_MAX = 0.95;
export const AGENT_CONFIDENCE_DEFAULT = 0.8;
/** Of an item with text written by an agent, in percent: the weight of an agent's knowledge. */
export const AGENT_ITEM_CONFIDENCE = 80;
