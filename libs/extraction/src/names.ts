import { entityKey } from '@cairn/graph';
import { CALENDAR, IMPERATIVES, NOT_NAMES, OF_HEADS, OPENERS, PARTICLES, TITLES } from './lexicon.js';
import { hasTypeWord, isWellKnown } from './name-types.js';
import { PATTERN_FORMS } from './pattern-forms.js';
import { type Mark } from './prepared-text.js';
import { type SegmentKind } from './segments.js';
import { isEnglishWord, type Token } from './tagger.js';

export interface NameUnit {
  readonly kind: 'name';
  readonly name: string;
  readonly key: string;
  /** Token indexes; `to` is the first token after the name. */
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  readonly mark: Mark | undefined;
  readonly words: number;
  readonly hasTitle: boolean;
  readonly isPossessive: boolean;
  /** Whether the word could just as well be an ordinary one. */
  readonly isDoubtful: boolean;
}

/** The style of a chunk's lines, which decides what a capital means. */
export interface NameContext {
  readonly kind: SegmentKind;
  readonly marks: readonly Mark[];
  /** Words that are names elsewhere in the chunk. */
  readonly known: ReadonlySet<string>;
  readonly isEnglish: boolean;
  readonly foreignOpeners: ReadonlySet<string>;
}

const NAME_CHARS_MIN = 2;
const YEAR = /^(?:19|20)\d\d$/u;
const CAPITAL = /^(?:\p{Lu}|\p{Ll}{1,3}\p{Lu}\p{Ll})/u;
const ACRONYM = /^\p{Lu}[\p{Lu}\p{N}&]+$/u;
const ABSTRACT = /(?:tion|sion|ment|ing|ness|ity|ance|ence|ship|ism|age|sis|ure|ery)$/u;
const FUNCTION_POS: ReadonlySet<string> = new Set([
  'PRON',
  'DET',
  'ADP',
  'AUX',
  'CCONJ',
  'SCONJ',
  'PART',
  'INTJ',
  'NUM',
]);
const STARTERS: ReadonlySet<string> = new Set([
  ':',
  '"',
  '“',
  '(',
  '-',
  '–',
  '—',
  '*',
  '/',
  '[',
  ']',
  '>',
  '|',
  '_',
  '**',
]);

const isCapitalised = (token: Token): boolean => CAPITAL.test(token.text);

/** Whether the capital of this token may be due to its place: the start of a sentence, a quotation, an entry. */
const isAtStart = (tokens: readonly Token[], at: number): boolean => {
  const before = tokens[at - 1];
  if (!before || STARTERS.has(before.lower)) return true;
  return before.pos === 'NUM' && at === 1;
};

const contentWords = (tokens: readonly Token[]): readonly Token[] =>
  tokens.filter(({ lower, pos }) => /^\p{L}/u.test(lower) && !FUNCTION_POS.has(pos) && lower.length > 2);

/** "Ten Tips for Better Meetings": if every word has a capital, a capital means nothing. */
export const isTitleCase = (tokens: readonly Token[], kind: SegmentKind): boolean => {
  if (kind === 'heading') return true;
  if (kind === 'key' || /[.!?]$/u.test(tokens.at(-1)?.lower ?? '')) return false;
  const words = contentWords(tokens);
  return words.length >= 2 && words.every(isCapitalised);
};

export const isShouting = (tokens: readonly Token[]): boolean => {
  const words = tokens.filter(({ text }) => /^\p{L}{2,}$/u.test(text));
  return words.length > 2 && words.every(({ text }) => text === text.toUpperCase());
};

const isNameWord = (tokens: readonly Token[], at: number, { isEnglish, foreignOpeners }: NameContext): boolean => {
  const token = tokens[at]!;
  const { lower, pos } = token;
  if (!isCapitalised(token) || CALENDAR.has(lower) || NOT_NAMES.has(lower) || TITLES.has(lower.replace('.', '')))
    return false;
  if (!isEnglish) return !foreignOpeners.has(lower);
  if (OPENERS.has(lower) && (isAtStart(tokens, at) || pos !== 'PROPN')) return false;
  // "I'm" and "We're" may be one token.
  if (/'/u.test(lower) && OPENERS.has(lower.split("'")[0]!)) return false;
  if (FUNCTION_POS.has(pos) && isEnglishWord(lower)) return false;
  if (!isAtStart(tokens, at)) return true;
  return !(IMPERATIVES.has(lower.replace(/s$/u, '')) || (['VERB', 'ADJ', 'ADV'].includes(pos) && isEnglishWord(lower)));
};

const touches = (a: Token | undefined, b: Token | undefined): boolean =>
  a !== undefined && b !== undefined && a.end === b.start;

/** How many tokens after `at` continue the name, or 0: a further name word, a hyphen, "van der", "of", "&". */
const joinAfter = (tokens: readonly Token[], at: number, first: Token, context: NameContext): number => {
  const isName = (index: number): boolean =>
    index < tokens.length && isNameWord(tokens, index, context) && !isMarked(tokens[index]!, context.marks);
  const [here, next] = [tokens[at]!, tokens[at + 1]];
  if (!next) return 0;
  if (isName(at + 1)) return 1;
  const isHyphen = next.lower === '-' && touches(here, next) && touches(next, tokens[at + 2]);
  if (isHyphen && /^\p{L}/u.test(tokens[at + 2]?.text ?? '')) return 2;
  if (next.lower === '&' && isName(at + 2)) return 2;
  if (next.lower === 'of' && OF_HEADS.has(first.lower)) return isName(at + 2) ? 2 : 0;
  const particles = [1, 2].find(
    (count) =>
      isName(at + count + 1) && tokens.slice(at + 1, at + count + 1).every(({ lower }) => PARTICLES.has(lower)),
  );
  return particles === undefined || next.text !== next.lower ? 0 : particles + 1;
};

const isMarked = (token: Token, marks: readonly Mark[]): boolean =>
  marks.some(({ start, end }) => token.start < end && start < token.end);

/** The last token of the run of name words that starts at `from`. */
const runEnd = (tokens: readonly Token[], from: number, context: NameContext): number => {
  let at = from;
  for (
    let step = joinAfter(tokens, at, tokens[from]!, context);
    step > 0;
    step = joinAfter(tokens, at, tokens[from]!, context)
  )
    at += step;
  const year = tokens[at + 1];
  return year && YEAR.test(year.lower) && context.isEnglish && at === from && /\p{Ll}\p{Lu}/u.test(tokens[at]!.text)
    ? at + 1
    : at;
};

/** "Falcon depends on Postgres": an ordinary noun without an article that acts like a name. */
const isBareSubject = (tokens: readonly Token[], at: number): boolean => {
  const [token, next, after] = [tokens[at]!, tokens[at + 1], tokens[at + 2]];
  if (/s$/u.test(token.lower) || ABSTRACT.test(token.lower) || !next) return false;
  const states =
    PATTERN_FORMS.has(next.lower) ||
    (next.pos === 'AUX' &&
      after !== undefined &&
      (PATTERN_FORMS.has(after.lower) || /^(?:n't|not|no|been|now)$/u.test(after.lower)));
  return (
    states &&
    tokens
      .slice(at + 2)
      .some((other) => isCapitalised(other) && !CALENDAR.has(other.lower) && !NOT_NAMES.has(other.lower))
  );
};

const COMMON_RUN = (words: readonly Token[]): boolean =>
  words.every(({ lower }) => isEnglishWord(lower) || OPENERS.has(lower)) &&
  !hasTypeWord(words.map(({ lower }) => lower));

/** Whether a run of capitalised words is a name at this place; `doubtful` names are kept with lower confidence. */
const judgeRun = (
  tokens: readonly Token[],
  from: number,
  to: number,
  context: NameContext,
): 'name' | 'doubtful' | undefined => {
  const words = tokens.slice(from, to).filter(({ text }) => /\p{L}/u.test(text));
  if (words.length === 1 && words[0]!.text.length < NAME_CHARS_MIN) return undefined;
  if (!context.isEnglish) return words.length >= 2 || isWellKnown(words[0]!.lower) ? 'doubtful' : undefined;
  const isKnown = context.known.has(words.map(({ lower }) => lower).join(' '));
  if (isKnown) return 'name';
  if (isTitleCase(tokens, context.kind) && COMMON_RUN(words)) return undefined;
  if (words.length > 1 || !isAtStart(tokens, from)) return 'name';
  const [word] = words;
  if (!isEnglishWord(word!.lower) || ACRONYM.test(word!.text)) return isEnglishWord(word!.lower) ? undefined : 'name';
  return isBareSubject(tokens, from) ? 'doubtful' : undefined;
};

const unitOf = (
  tokens: readonly Token[],
  from: number,
  to: number,
  given: Pick<NameUnit, 'mark' | 'isDoubtful'>,
  original: string,
): NameUnit | undefined => {
  const start = given.mark?.start ?? tokens[from]!.start;
  const last = tokens[to - 1]!;
  const end = given.mark?.end ?? last.end;
  // A line break may separate the words of a name.
  const name = original.slice(start, end).replace(/\s+/gu, ' ').trim();
  const key = entityKey(name);
  const after = tokens[to];
  const isPossessive = after !== undefined && touches(last, after) && /^(?:'s?|'S)$/u.test(after.lower);
  const hasTitle = TITLES.has((tokens[from - 1]?.lower ?? '').replace('.', ''));
  return key === undefined
    ? undefined
    : {
        kind: 'name',
        name,
        key,
        from,
        to,
        start,
        end,
        words: name.split(/\s+/u).length,
        hasTitle,
        isPossessive,
        ...given,
      };
};

const markAt = (token: Token, marks: readonly Mark[]): Mark | undefined =>
  marks.find(({ start, end }) => token.start < end && start < token.end);

/** The names of one sentence, in order. */
export const namesOf = (tokens: readonly Token[], original: string, context: NameContext): readonly NameUnit[] => {
  const units: NameUnit[] = [];
  const add = (unit: NameUnit | undefined): void => void (unit && units.push(unit));
  const silent = isShouting(tokens);
  for (let at = 0; at < tokens.length;) {
    const mark = markAt(tokens[at]!, context.marks);
    if (mark) {
      const from = at;
      while (at < tokens.length && tokens[at]!.start < mark.end) at++;
      add(unitOf(tokens, from, at, { mark, isDoubtful: false }, original));
    } else if (!silent && isNameWord(tokens, at, context)) {
      const to = runEnd(tokens, at, context) + 1;
      const verdict = judgeRun(tokens, at, to, context);
      if (verdict) add(unitOf(tokens, at, to, { mark: undefined, isDoubtful: verdict === 'doubtful' }, original));
      at = to;
    } else at++;
  }
  return units;
};
