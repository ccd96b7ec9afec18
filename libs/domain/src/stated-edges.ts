import {
  AGENT_CONFIDENCE_DEFAULT,
  AGENT_CONFIDENCE_MAX,
  fail,
  hasScope,
  type EntityType,
  type GraphOrigin,
  type NewEdge,
  type ObservedEdge,
  type ObservedFindings,
  type ObservedMention,
  type Principal,
  type Surface,
} from '@cairn/contracts';
import { entityKey, placeOfName } from '@cairn/graph';

/** A text in which edges may be anchored. */
export interface EvidenceText {
  readonly chunkId: string;
  readonly text: string;
}

/** The statements about one chunk; `edges` holds the places of its edges in the request. */
export interface ChunkStatement {
  readonly chunkId: string;
  readonly findings: ObservedFindings;
  readonly edges: readonly number[];
}

/** The type of a name whose type was not given is unknown: any text that shows one outweighs it. */
const UNKNOWN_TYPE = { type: 'concept', typeConfidence: 0.1 } as const;
const GIVEN_TYPE_CONFIDENCE = 0.9;

/** An admin token over REST acts for a person; every other caller is an agent. */
export const originOf = (principal: Principal, surface: Surface): GraphOrigin =>
  surface === 'rest' && hasScope(principal, 'admin') ? 'human' : 'agent';

const checkName = (name: string, field: string): void => {
  if (entityKey(name) !== undefined) return;
  throw fail('input.invalid', `${field} must be a name of 1 to 6 words with at most 80 characters`, {
    field,
    limit: 6,
  });
};

const checkConfidence = ({ confidence = 0 }: NewEdge, origin: GraphOrigin, field: string): void => {
  if (origin === 'human' || confidence <= AGENT_CONFIDENCE_MAX) return;
  throw fail('input.invalid', `${field} must be at most ${AGENT_CONFIDENCE_MAX}: only a person is certain`, {
    field,
    limit: AGENT_CONFIDENCE_MAX,
  });
};

const has = (text: string, name: string): boolean => placeOfName(text, name) !== undefined;

/**
 * The chunk that names both ends, or the subject if no chunk names both. A person may state a relation that no chunk
 * words this way: it is then anchored in the first chunk.
 */
const chunkOf = (edge: NewEdge, texts: readonly EvidenceText[], origin: GraphOrigin, field: string): EvidenceText => {
  const naming = (...names: readonly string[]) => texts.find(({ text }) => names.every((name) => has(text, name)));
  const both = naming(edge.subject, edge.object);
  if (both) return both;
  const [subject, object] = [naming(edge.subject), naming(edge.object)];
  if (subject && object) return subject;
  if (origin === 'human' && texts[0]) return texts[0];
  const missing = subject ? 'object' : 'subject';
  throw fail('edge.name_not_in_evidence', `${field}.${missing} does not occur in the evidence`, {
    field: `${field}.${missing}`,
  });
};

const mentionOf = (text: string, name: string, type: EntityType | undefined, confidence: number): ObservedMention => {
  const { start, end } = placeOfName(text, name) ?? { start: null, end: null };
  const typed = type === undefined ? UNKNOWN_TYPE : { type, typeConfidence: GIVEN_TYPE_CONFIDENCE };
  return { name: name.trim(), ...typed, confidence, start, end };
};

const edgeOf = (edge: NewEdge, origin: GraphOrigin): ObservedEdge => ({
  subject: edge.subject.trim(),
  predicate: edge.predicate,
  object: edge.object.trim(),
  confidence: edge.confidence ?? (origin === 'human' ? 1 : AGENT_CONFIDENCE_DEFAULT),
  sourceKind: edge.sourceKind ?? (origin === 'human' ? 'extracted' : 'inferred'),
  negated: edge.negated ?? false,
  ...(edge.validFrom !== undefined && { validFrom: edge.validFrom }),
  ...(edge.validTo !== undefined && { validTo: edge.validTo }),
});

/** Of several mentions of one name, the one with the most certain type. */
const distinct = (mentions: readonly ObservedMention[]): ObservedMention[] => {
  const byKey = new Map<string, ObservedMention>();
  for (const mention of mentions) {
    const key = entityKey(mention.name)!;
    if (mention.typeConfidence > (byKey.get(key)?.typeConfidence ?? 0)) byKey.set(key, mention);
  }
  return [...byKey.values()];
};

const findingsOf = (text: string, edges: readonly NewEdge[], origin: GraphOrigin): ObservedFindings => {
  const stated = edges.map((edge) => edgeOf(edge, origin));
  const mentions = edges.flatMap((edge, i) => [
    mentionOf(text, edge.subject, edge.subjectType, stated[i]!.confidence),
    mentionOf(text, edge.object, edge.objectType, stated[i]!.confidence),
  ]);
  return { mentions: distinct(mentions), edges: stated };
};

/** Checks a caller's statements, fills in defaults, and finds the chunk for each edge. */
export const stateEdges = (
  edges: readonly NewEdge[],
  texts: readonly EvidenceText[],
  origin: GraphOrigin,
  field = 'edges',
): ChunkStatement[] => {
  const places = new Map<string, number[]>();
  for (const [i, edge] of edges.entries()) {
    checkName(edge.subject, `${field}[${i}].subject`);
    checkName(edge.object, `${field}[${i}].object`);
    checkConfidence(edge, origin, `${field}[${i}].confidence`);
    const { chunkId } = chunkOf(edge, texts, origin, `${field}[${i}]`);
    places.set(chunkId, [...(places.get(chunkId) ?? []), i]);
  }
  return [...places].map(([chunkId, indexes]) => {
    const { text } = texts.find((one) => one.chunkId === chunkId)!;
    const own = indexes.map((i) => edges[i]!);
    return { chunkId, findings: findingsOf(text, own, origin), edges: indexes };
  });
};
