import { type EntityType } from '@cairn/contracts';
import { GIVEN_NAMES, PLACES, TOOLS } from './gazetteer.js';
import {
  CONCEPT_WORDS,
  EVENT_WORDS,
  HEAD_NOUNS,
  OF_HEADS,
  ORGANIZATION_WORDS,
  PERSON_VERBS,
  PROJECT_WORDS,
  TITLES,
  TOOL_WORDS,
} from './lexicon.js';
import { type NameUnit } from './names.js';
import { isEnglishWord, type Token } from './tagger.js';

export interface TypeGuess {
  readonly type: EntityType;
  readonly confidence: number;
}

const bare = (word: string): string => word.toLowerCase().replace(/[.,]+$/u, '');

/** The type indicated by a word inside the name: "Labs", "Project", "Summit". */
const byWords = (words: readonly string[]): TypeGuess | undefined => {
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if (words.length > 1 && (PROJECT_WORDS.has(first) || PROJECT_WORDS.has(last)))
    return { type: 'project', confidence: 0.9 };
  if (words.length > 1 && EVENT_WORDS.has(last)) return { type: 'event', confidence: 0.9 };
  if (words.length > 2 && words[1] === 'of' && OF_HEADS.has(first)) return { type: 'organization', confidence: 0.9 };
  if (words.length > 1 && ORGANIZATION_WORDS.has(last)) return { type: 'organization', confidence: 0.9 };
  if (words.includes('&')) return { type: 'organization', confidence: 0.8 };
  return undefined;
};

/** Words that are also family names: "Lena Park". */
const byWeakWords = (words: readonly string[]): TypeGuess | undefined => {
  const last = words.at(-1) ?? '';
  if (words.length > 1 && CONCEPT_WORDS.has(last)) return { type: 'concept', confidence: 0.8 };
  return words.length > 1 && TOOL_WORDS.has(last) ? { type: 'tool', confidence: 0.8 } : undefined;
};

/** Whether a place or a tool is known by this one word. */
export const isWellKnown = (lower: string): boolean => PLACES.has(lower) || TOOLS.has(lower);

export const hasTypeWord = (words: readonly string[]): boolean =>
  (byWords(words.map(bare)) ?? byWeakWords(words.map(bare))) !== undefined;

const byGazetteer = (words: readonly string[]): TypeGuess | undefined => {
  const [first = ''] = words;
  if (words.length > 1 && words.length <= 4 && GIVEN_NAMES.has(first.split('-')[0]!))
    return { type: 'person', confidence: 0.8 };
  if (TOOLS.has(words.join(' '))) return { type: 'tool', confidence: 0.8 };
  if (PLACES.has(words.join(' '))) return { type: 'concept', confidence: 0.8 };
  return words.length === 1 && GIVEN_NAMES.has(first) ? { type: 'person', confidence: 0.7 } : undefined;
};

/** The last resort: the usual type of names of this form. */
const byShape = (name: string, words: readonly string[]): TypeGuess => {
  if (/^\p{Lu}?\p{Ll}+\p{Lu}\p{L}*(?:\s(?:19|20)\d\d)?$/u.test(name))
    return /con(?: \d+)?$/iu.test(name.replace(/\s\d+$/u, ''))
      ? { type: 'event', confidence: 0.6 }
      : { type: 'tool', confidence: 0.5 };
  const isPersonal =
    words.length > 1 &&
    words.length <= 4 &&
    words.every((word) => /^[\p{L}'’.-]+$/u.test(word)) &&
    !/(?<!Mc|Mac)(?<=\p{Ll})\p{Lu}/u.test(name);
  if (isPersonal && !isEnglishWord(words.at(-1)!)) return { type: 'person', confidence: 0.5 };
  return { type: 'concept', confidence: 0.3 };
};

/** The type indicated by the name itself. */
export const typeOfName = (unit: Pick<NameUnit, 'name' | 'mark' | 'hasTitle'>): TypeGuess => {
  const { name, mark, hasTitle } = unit;
  if (mark?.type) return { type: mark.type, confidence: mark.type === 'topic' ? 0.95 : 0.8 };
  if (hasTitle) return { type: 'person', confidence: 0.9 };
  const words = name.split(/\s+/u).map(bare);
  if (TITLES.has(words[0]!)) return { type: 'person', confidence: 0.9 };
  return byWords(words) ?? byGazetteer(words) ?? byWeakWords(words) ?? byShape(name, words);
};

/** The type indicated by the words around the name: "the Apollo project", "Alice asked". */
export const typeFromContext = (tokens: readonly Token[], unit: NameUnit): TypeGuess | undefined => {
  const next = tokens[unit.to];
  if (!next || unit.isPossessive) return undefined;
  if (next.text === next.lower)
    for (const [type, nouns] of Object.entries(HEAD_NOUNS))
      if (nouns.has(next.lower)) return { type: type as EntityType, confidence: 0.8 };
  const affiliated =
    next.lower === 'from' && unit.words === 1 && ORGANIZATION_WORDS.has(tokens[unit.to + 2]?.lower ?? '');
  if (affiliated) return { type: 'person', confidence: 0.5 };
  const verb = next.pos === 'ADV' ? tokens[unit.to + 1] : next;
  return verb?.pos === 'VERB' && PERSON_VERBS.has(verb.lemma) ? { type: 'person', confidence: 0.6 } : undefined;
};

export const betterGuess = (a: TypeGuess | undefined, b: TypeGuess): TypeGuess =>
  a && a.confidence >= b.confidence ? a : b;
