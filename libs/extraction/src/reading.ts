import { FOREIGN_OPENERS } from './lexicon.js';
import { isEnglish } from './language.js';
import { namesOf, type NameContext, type NameUnit } from './names.js';
import { prepareText, type PreparedText } from './prepared-text.js';
import { segmentsOf, type Segment } from './segments.js';
import { tagSentences, type Token } from './tagger.js';

export interface WordUnit {
  readonly kind: 'word';
  readonly token: Token;
  readonly at: number;
}
/** A sentence as a row of names and words: a name of several tokens is one unit. */
export type Unit = NameUnit | WordUnit;

export interface ReadSentence {
  readonly segment: Segment;
  readonly tokens: readonly Token[];
  readonly names: readonly NameUnit[];
  readonly units: readonly Unit[];
}

export interface Reading {
  readonly isEnglish: boolean;
  readonly sentences: readonly ReadSentence[];
}

const unitsOf = (tokens: readonly Token[], names: readonly NameUnit[]): readonly Unit[] => {
  const units: Unit[] = [];
  const byStart = new Map(names.map((name) => [name.from, name]));
  for (let at = 0; at < tokens.length;) {
    const name = byStart.get(at);
    units.push(name ?? { kind: 'word', token: tokens[at]!, at });
    at = name ? name.to : at + 1;
  }
  return units;
};

const taggedSegments = ({ text, original }: PreparedText): readonly { segment: Segment; tokens: readonly Token[] }[] =>
  segmentsOf(text).flatMap((segment) =>
    tagSentences(text, original, segment.start, segment.end).map((tokens) => ({ segment, tokens })),
  );

/** Words that are certainly names somewhere in the chunk, so that they are names at the start of a sentence, too. */
const knownNames = (names: readonly NameUnit[]): ReadonlySet<string> =>
  new Set(
    names.filter(({ isDoubtful }) => !isDoubtful).flatMap(({ name, mark }) => (mark?.type ? [] : [name.toLowerCase()])),
  );

/**
 * Splits a text into sentences, words and names. `alsoNamed` are names from outside the text, such as those in its
 * title.
 */
export const readText = (given: string, alsoNamed: readonly NameUnit[] = []): Reading => {
  const prepared = prepareText(given);
  const tagged = taggedSegments(prepared);
  const english = isEnglish(prepared.text);
  const context = (segment: Segment, known: ReadonlySet<string>): NameContext => ({
    kind: segment.kind,
    marks: prepared.marks,
    known,
    isEnglish: english,
    foreignOpeners: FOREIGN_OPENERS,
  });
  const find = (known: ReadonlySet<string>) =>
    tagged.map(({ segment, tokens }) => namesOf(tokens, prepared.original, context(segment, known)));
  const names = find(knownNames([...alsoNamed, ...find(new Set()).flat()]));
  return {
    isEnglish: english,
    sentences: tagged.map(({ segment, tokens }, index) => ({
      segment,
      tokens,
      names: names[index]!,
      units: unitsOf(tokens, names[index]!),
    })),
  };
};
