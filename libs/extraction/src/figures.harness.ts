import { entityKey } from '@cairn/graph';
import { type Findings, type FoundEdge } from './findings-extractor.port.js';
import { type LabelledEdge, type LabelledText } from './labelled-texts.builder.js';
import { CO_OCCURRENCE } from './predicates.js';

export interface Figures {
  readonly texts: number;
  readonly spanPrecision: number;
  readonly spanRecall: number;
  readonly spanF1: number;
  readonly typeAccuracy: number;
  readonly edgePrecision: number;
  readonly edgeRecall: number;
  /** Share of the denied relations that were found and marked as denied. */
  readonly deniedFound: number;
  /** Relations that the text denies or only supposes, but that could be walked anyway. */
  readonly wronglyWalkable: number;
  /** One line per mistake. */
  readonly mistakes: readonly string[];
}

/** Edges below this confidence are shown only on request, so they are not promised. */
const PROMISED_CONFIDENCE = 0.6;

interface Counts {
  [name: string]: number;
}

/** The full stop of "Ltd." may or may not be part of a span. */
const spanId = (text: string, start: number, end: number): string =>
  `${start}-${text.slice(start, end).endsWith('.') ? end - 1 : end}`;
const edgeId = (subject: string, predicate: string, object: string): string =>
  `${entityKey(subject)} ${predicate} ${entityKey(object)}`;
const foundId = ({ subject, predicate, object }: FoundEdge): string => edgeId(subject, predicate, object);
const labelledId = ({ subjectKey, predicate, objectKey }: LabelledEdge): string =>
  edgeId(subjectKey, predicate, objectKey);

const SYMMETRIC: ReadonlySet<string> = new Set([
  'met_with',
  'married_to',
  'partners_with',
  'same_as',
  'works_with',
  'merged_with',
]);
const swapped = ({ subjectKey, predicate, objectKey }: LabelledEdge): string =>
  SYMMETRIC.has(predicate) ? edgeId(objectKey, predicate, subjectKey) : '';

const idsOf = (edges: readonly LabelledEdge[], kind: LabelledEdge['kind']): ReadonlySet<string> =>
  new Set(edges.filter((edge) => edge.kind === kind).flatMap((edge) => [labelledId(edge), swapped(edge)]));

const compareMentions = (
  labelled: LabelledText,
  { mentions }: Findings,
  counts: Counts,
  note: (line: string) => void,
): void => {
  const { text } = labelled;
  const found = new Map(
    mentions.flatMap((mention) =>
      mention.start === null ? [] : [[spanId(text, mention.start, mention.end!), mention]],
    ),
  );
  const wanted = new Map(labelled.mentions.map((mention) => [spanId(text, mention.start, mention.end), mention]));
  counts.found! += found.size;
  counts.wanted! += wanted.size;
  for (const [id, mention] of found) if (!wanted.has(id)) note(`extra name "${mention.name}"`);
  for (const [id, mention] of wanted) {
    const match = found.get(id);
    if (!match) note(`missed name "${mention.key}"`);
    else {
      counts.matched!++;
      if (match.type === mention.type) counts.typed!++;
      else note(`"${mention.key}" is ${mention.type}, not ${match.type}`);
      if (entityKey(match.name) !== mention.key) note(`"${match.name}" stands for "${mention.key}"`);
    }
  }
};

const compareEdges = (
  labelled: LabelledText,
  { edges }: Findings,
  counts: Counts,
  note: (line: string) => void,
): void => {
  const stated = idsOf(labelled.edges, 'stated');
  const walkable = edges.filter(
    ({ negated, sourceKind, predicate, confidence }) =>
      !negated && sourceKind === 'extracted' && predicate !== CO_OCCURRENCE && confidence >= PROMISED_CONFIDENCE,
  );
  const right = walkable.filter((edge) => stated.has(foundId(edge)));
  counts.walkable! += walkable.length;
  counts.right! += right.length;
  const wanted = labelled.edges.filter(({ kind }) => kind === 'stated');
  counts.stated! += wanted.length;
  const foundIds = new Set(walkable.map(foundId));
  const isFound = (edge: LabelledEdge): boolean => foundIds.has(labelledId(edge)) || foundIds.has(swapped(edge));
  counts.recalled! += wanted.filter(isFound).length;
  for (const edge of walkable) if (!stated.has(foundId(edge))) note(`extra edge ${foundId(edge)}`);
  for (const edge of wanted) if (!isFound(edge)) note(`missed edge ${labelledId(edge)}`);
  const denied = labelled.edges.filter(({ kind }) => kind === 'denied');
  counts.denied! += denied.length;
  counts.deniedFound! += denied.filter((edge) =>
    edges.some((found) => found.negated && foundId(found) === labelledId(edge)),
  ).length;
  counts.wronglyWalkable! += labelled.edges.filter(
    (edge) => edge.kind !== 'stated' && foundIds.has(labelledId(edge)),
  ).length;
};

const share = (part: number, whole: number): number => (whole === 0 ? 1 : Math.round((part / whole) * 1000) / 1000);

/** Compares the findings with a person's labels. */
export const figuresOf = (texts: readonly LabelledText[], findings: readonly Findings[]): Figures => {
  const counts: Counts = Object.fromEntries(
    [
      'found',
      'wanted',
      'matched',
      'typed',
      'walkable',
      'right',
      'stated',
      'recalled',
      'denied',
      'deniedFound',
      'wronglyWalkable',
    ].map((name) => [name, 0]),
  );
  const mistakes: string[] = [];
  texts.forEach((labelled, index) => {
    const note = (line: string): void => void mistakes.push(`${labelled.text}: ${line}`);
    compareMentions(labelled, findings[index]!, counts, note);
    compareEdges(labelled, findings[index]!, counts, note);
  });
  const [spanPrecision, spanRecall] = [share(counts.matched!, counts.found!), share(counts.matched!, counts.wanted!)];
  return {
    texts: texts.length,
    spanPrecision,
    spanRecall,
    spanF1: share(2 * spanPrecision * spanRecall, spanPrecision + spanRecall),
    typeAccuracy: share(counts.typed!, counts.matched!),
    edgePrecision: share(counts.right!, counts.walkable!),
    edgeRecall: share(counts.recalled!, counts.stated!),
    deniedFound: share(counts.deniedFound!, counts.denied!),
    wronglyWalkable: counts.wronglyWalkable!,
    mistakes,
  };
};
