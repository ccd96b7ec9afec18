import { SAME_AS } from '@cairn/graph';
import { formStatements, keyLineStatements } from './form-statements.js';
import { type ChunkToRead } from './findings-extractor.port.js';
import { type NameUnit } from './names.js';
import { betterGuess, typeFromContext, typeOfName, type TypeGuess } from './name-types.js';
import { readText, type Reading, type ReadSentence } from './reading.js';
import { roleStatements } from './role-statements.js';
import { resolveNames, type Resolved } from './short-forms.js';
import { type Statement } from './statement.js';
import { verbStatements } from './verb-statements.js';

/** Everything known about one chunk before it becomes findings or sentences. */
export interface ChunkAnalysis {
  readonly isEnglish: boolean;
  readonly titleNames: readonly NameUnit[];
  readonly sentences: readonly AnalysedUnits[];
  readonly resolve: (unit: NameUnit) => Resolved;
  readonly typeOf: (key: string) => TypeGuess;
}

export interface AnalysedUnits extends ReadSentence {
  readonly statements: readonly Statement[];
}

const FRAME_CONFIDENCE = 0.6;
const WEAK_FRAME_CONFIDENCE = 0.45;
const TITLE_CHARS_MAX = 500;

/** The sentences of the title, read as a heading. */
const readTitle = (title: string | null): Reading =>
  readText(title ? `# ${title.slice(0, TITLE_CHARS_MAX).replace(/\s+/gu, ' ')}` : '');

/** The subject of `Key: value` lines: the nearest heading above them that is one name, or else the title. */
const subjectsOfKeys = (
  sentences: readonly ReadSentence[],
  title: readonly NameUnit[],
): readonly (NameUnit | undefined)[] => {
  let subject = title.length === 1 ? title[0] : undefined;
  return sentences.map(({ segment, names }) => {
    if (segment.kind === 'heading') subject = names.length === 1 ? names[0] : subject;
    return subject;
  });
};

const statementsOf = (
  sentence: ReadSentence,
  isEnglish: boolean,
  subject: NameUnit | undefined,
): readonly Statement[] => {
  const keyed = keyLineStatements(sentence, subject);
  if (!isEnglish || keyed.length > 0) return keyed;
  const stated = [...verbStatements(sentence.units), ...roleStatements(sentence.units)];
  const isStated = ({ subject: a, object: b }: Statement): boolean =>
    stated.some((other) => (other.subject === a && other.object === b) || (other.subject === b && other.object === a));
  return [...stated, ...formStatements(sentence.units).filter((form) => !isStated(form))];
};

/** All evidence for a type, strongest first; in a tie, the earlier one in the text wins. */
const guessTypes = (
  sentences: readonly AnalysedUnits[],
  title: readonly NameUnit[],
  resolve: ChunkAnalysis['resolve'],
): ReadonlyMap<string, TypeGuess> => {
  const guesses = new Map<string, TypeGuess>();
  const add = (unit: NameUnit, guess: TypeGuess | undefined): void => {
    const { key } = resolve(unit);
    if (guess) guesses.set(key, betterGuess(guesses.get(key), guess));
  };
  for (const unit of title) add(unit, typeOfName(unit));
  for (const { tokens, names, statements } of sentences) {
    for (const unit of names) {
      add(unit, typeOfName(unit));
      add(unit, typeFromContext(tokens, unit));
    }
    for (const { subject, object, subjectType, objectType, isWeakHint } of statements) {
      const confidence = isWeakHint ? WEAK_FRAME_CONFIDENCE : FRAME_CONFIDENCE;
      if (subjectType) add(subject, { type: subjectType, confidence });
      if (objectType) add(object, { type: objectType, confidence });
    }
  }
  for (const { predicate, subject, object } of sentences.flatMap(({ statements }) => statements))
    if (predicate === SAME_AS) add(object, guesses.get(resolve(subject).key));
  return guesses;
};

/** Predicates derived from form apply to certain types only: "Alice (Meridian Labs)" yes, "Falcon (Rust)" no. */
const fitsTypes = (statement: Statement, { typeOf, resolve }: Pick<ChunkAnalysis, 'typeOf' | 'resolve'>): boolean => {
  if (statement.subjectType ?? statement.objectType) return true;
  const [subject, object] = [typeOf(resolve(statement.subject).key).type, typeOf(resolve(statement.object).key).type];
  if (statement.predicate === 'works_at') return subject === 'person' && object === 'organization';
  if (statement.predicate === 'owns' && statement.confidence < 0.7) return object === 'project' || object === 'tool';
  return true;
};

export const analyseChunk = ({ title, text }: Pick<ChunkToRead, 'title' | 'text'>): ChunkAnalysis => {
  const titleNames = readTitle(title).sentences.flatMap(({ names }) => names);
  const reading = readText(text, titleNames);
  const resolved = resolveNames([...titleNames, ...reading.sentences.flatMap(({ names }) => names)]);
  const resolve = (unit: NameUnit): Resolved => resolved.get(unit)!;
  const keySubjects = subjectsOfKeys(reading.sentences, titleNames);
  const stated = reading.sentences.map((sentence, index) => ({
    ...sentence,
    statements: statementsOf(sentence, reading.isEnglish, keySubjects[index]),
  }));
  const types = guessTypes(stated, titleNames, resolve);
  const typeOf = (key: string): TypeGuess => types.get(key)!;
  const sentences = stated.map((sentence) => ({
    ...sentence,
    statements: sentence.statements.filter((statement) => fitsTypes(statement, { typeOf, resolve })),
  }));
  return { isEnglish: reading.isEnglish, titleNames, sentences, resolve, typeOf };
};
