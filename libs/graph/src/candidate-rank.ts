import { editDistance, type CandidateMatch } from '@cairn/contracts';
import { ENTITY_KEY_CHARS_MAX } from './entity-key.js';

const BASE: Readonly<Record<CandidateMatch, number>> = { exact: 1, alias: 0.9, word: 0.8, prefix: 0.6, spelling: 0.4 };
const ORDER: readonly CandidateMatch[] = ['exact', 'alias', 'word', 'prefix', 'spelling'];
/** The most that hints can add: never as much as a closer match. */
const HINTS_WEIGHT = 0.05;

export interface RankedCandidate {
  readonly match: CandidateMatch;
  /** 0..1: the share of hints that fit. */
  readonly hints: number;
  readonly mentions: number;
  readonly key: string;
}

/** 0..1, two decimals: mostly by the kind of match, and slightly by the hints. */
export const candidateScore = ({ match, hints }: Pick<RankedCandidate, 'match' | 'hints'>): number =>
  Math.min(1, Math.round((BASE[match] + HINTS_WEIGHT * hints) * 100) / 100);

export const closerMatch = (a: CandidateMatch, b: CandidateMatch): CandidateMatch =>
  ORDER.indexOf(a) <= ORDER.indexOf(b) ? a : b;

/** The closest match first, then the hints, then the number of mentions. */
export const byRank = (a: RankedCandidate, b: RankedCandidate): number =>
  ORDER.indexOf(a.match) - ORDER.indexOf(b.match) ||
  b.hints - a.hints ||
  b.mentions - a.mentions ||
  (a.key < b.key ? -1 : 1);

/** The number of typing errors to allow in a name of that length. */
const editsMax = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2);

/** Names that a misspelt one may mean are of these lengths and match one of these patterns; most other names do not. */
export interface Spellings {
  readonly min: number;
  readonly max: number;
  /** Of LIKE, for a name between two spaces. */
  readonly patterns: readonly string[];
}

const literal = (part: string): string => part.replace(/[\\%_]/gu, '\\$&');

/** Parts of almost the same length. */
const partsOf = (letters: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, i) =>
    letters.slice(Math.floor((i * letters.length) / count), Math.floor(((i + 1) * letters.length) / count)).join(''),
  );

/** The name with the two letters at a border exchanged. */
const swapped = (letters: readonly string[], border: number): string[] =>
  letters.with(border - 1, letters[border]!).with(border, letters[border - 1]!);

/**
 * The name has one part more than there may be edits, so one part stays as it is. Only an exchange of the letters at a
 * border changes two parts, so the parts of the exchanged name are included.
 */
const patternsOf = (asked: string, edits: number): string[] => {
  const letters = Array.from(asked);
  const count = edits + 1;
  const borders = Array.from({ length: edits }, (_, i) => Math.floor(((i + 1) * letters.length) / count));
  const parts = [letters, ...borders.map((border) => swapped(letters, border))].map((name) => partsOf(name, count));
  const [first, last] = asked.includes(' ') ? [' ', ' '] : ['% ', ' %'];
  const patterns = parts.flatMap((own) =>
    own.map((part, i) => {
      if (i === 0) return `${first}${literal(part)}%`;
      return i === edits ? `%${literal(part)}${last}` : `%${literal(part)}%`;
    }),
  );
  return [...new Set(patterns)];
};

/** Undefined if the name is too short to be recognised. */
export const spellingsOf = (asked: string): Spellings | undefined => {
  const edits = editsMax(asked.length);
  if (edits === 0) return undefined;
  const chars = Array.from(asked).length;
  return {
    min: chars - edits,
    max: asked.includes(' ') ? chars + edits : ENTITY_KEY_CHARS_MAX,
    patterns: patternsOf(asked, edits),
  };
};

const isNear = (asked: string, name: string): boolean => {
  const max = editsMax(asked.length);
  return Math.abs(asked.length - name.length) <= max && max > 0 && editDistance(asked, name) <= max;
};

/** Keys that a misspelt name may mean: the whole name, or one of its words if a single word was given. */
export const misspelt = (asked: string, keys: readonly string[]): string[] => {
  const isWord = !asked.includes(' ');
  return keys.filter((key) => isNear(asked, key) || (isWord && key.split(' ').some((word) => isNear(asked, word))));
};
