import { intentsOf, type Intent } from './correction-intent.js';
import { capitalised, withoutSentence, withoutWords, withSentence } from './correction-sentences.js';

const QUOTED = /^(["'`“‘«])(.*?)(["'`”’»])/u;
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
/** Text that follows the new words but comments on the change, and is not part of it. */
const REMARK = new RegExp(
  `(?:[,;]\\s|\\s+(?:because|since|as of|due to|after|starting|effective|so that|which|when|while|according to|` +
    `(?:in|on|from)\\s+(?:${MONTH}|\\d{4}|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|` +
    `last\\s+\\w+|this\\s+(?:week|month|year)|yesterday|today|recently|everywhere|please)\\b).*$`,
  'iu',
);
const ARTICLE = /^(?:the|a|an|our|its)\s+/iu;
/** A path, a number, a version, a date, a name in code: one thing without spaces that is not a plain word. */
const CODE_LIKE = /^\S*[\d/_\\:@.=-]\S*$/u;
const NUMBER_AND_UNIT = /^(\d[\d.,]*)(\s+\p{L}.*)$/u;
const NUMBER = /^\d[\d.,]*$/u;
const NEGATION = /\b(?:no longer|not|never)\b|n['’]t\b/giu;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whole words only: `port` does not match in `report`, nor `/v1` in `/v1/search`. */
const wholeWords = (words: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}_/])${escaped(words).replace(/\s+/g, '\\s+')}(?![\\p{L}\\p{N}_]|/[\\p{L}\\p{N}])`,
    'giu',
  );

const unquoted = (part: string): string | undefined => QUOTED.exec(part)?.[2];

/** Ways to read the old words: as written, without a remark, without an article. */
const oldWords = (part: string): string[] => {
  const quoted = unquoted(part);
  if (quoted !== undefined) return [quoted];
  const plain = part.replace(REMARK, '');
  return [...new Set([part, plain, part.replace(ARTICLE, ''), plain.replace(ARTICLE, '')])].filter(
    (words) => words !== '',
  );
};

/** The new words, without remarks about them; reduced to a single number or name if the old text is one. */
const newWords = (part: string, old: string): string => {
  const quoted = unquoted(part);
  if (quoted !== undefined) return quoted;
  const plain = part.replace(REMARK, '').trim();
  if (CODE_LIKE.test(old)) return plain.split(/\s+/u)[0]!.replace(/[,;]$/u, '');
  const unit = NUMBER_AND_UNIT.exec(old)?.[2];
  return unit !== undefined && NUMBER.test(plain) ? plain + unit : plain;
};

const replaceWords = (text: string, from: string, to: string): string | undefined => {
  for (const words of oldWords(from)) {
    const pattern = wholeWords(words);
    if (!pattern.test(text)) continue;
    const replacement = newWords(to, words);
    if (replacement === '') continue;
    const startsLow = /^\p{Ll}/u.test(words) && /^\p{Ll}/u.test(replacement);
    return text.replace(wholeWords(words), (found) =>
      startsLow && /^\p{Lu}/u.test(found) ? capitalised(replacement) : replacement,
    );
  }
  return undefined;
};

/** The new words, without leading words that repeat the end of the text before the old ones. */
const withoutRepeat = (before: string, words: readonly string[]): readonly string[] => {
  const there = before.toLowerCase().match(/\S+/gu) ?? [];
  for (let length = words.length - 1; length > 0; length--) {
    const [head, tail] = [words.slice(0, length).join(' ').toLowerCase(), there.slice(-length).join(' ')];
    if (head === tail) return words.slice(length);
  }
  return words;
};

/** More words than the old ones, and not a name: most likely a clause, which cannot take their place. */
const isClause = (words: readonly string[], from: string): boolean =>
  words.length > from.split(/\s+/u).length + 1 && !words.every((word) => /^\p{Lu}/u.test(word) || CODE_LIKE.test(word));

/** "We meet at noon, not at one" on "We meet at one.": words that repeat the text are not inserted twice. */
const replaceContrast = (text: string, from: string, to: string): string | undefined => {
  const old = oldWords(from).find((words) => wholeWords(words).test(text));
  if (old === undefined) return undefined;
  if (unquoted(to) !== undefined) return replaceWords(text, from, to);
  const before = text.slice(0, text.search(wholeWords(old)));
  const words = withoutRepeat(before, to.replace(REMARK, '').split(/\s+/u));
  return isClause(words, old) ? undefined : replaceWords(text, from, words.join(' '));
};

interface Word {
  readonly text: string;
  readonly start: number;
}

/** The number of other words allowed between two words of the subject, and between the subject and its verb. */
const GAP_WORDS_MAX = 3;
const SUBJECT_WORDS_MAX = 12;
const VERB = /^(?:is|are|was|were|equals|[:=])$/iu;
const ENDS_WITH_SIGN = /[:=]$/u;
const ENDS_SENTENCE = /[.!?;]$/u;
/** Up to the end of the clause: a comma inside a number or a dot inside a name does not end it. */
const VALUE =
  /^.+?(?=[.,;!?]*\s*$|[.,;!?]+\s|\s*\n|\s(?:and|but|while|which|because|although|so)\s[^.;\n]*\b(?:is|are|was|were|has|have)\b)/u;

const wordsOf = (text: string): Word[] =>
  Array.from(text.matchAll(/\S+/gu), ({ 0: word, index }) => ({ text: word, start: index }));

const plainWord = (word: string): string => word.toLowerCase().replace(/^["'(«“‘]+|["')»”’,:=]+$/gu, '');

/** The next word that fits, at most a few words ahead and within the sentence; -1 if there is none. */
const nextWord = (words: readonly Word[], after: number, fits: (word: string) => boolean): number => {
  for (let at = after + 1; at <= after + 1 + GAP_WORDS_MAX && at < words.length; at++) {
    if (fits(words[at]!.text)) return at;
    if (ENDS_SENTENCE.test(words[at]!.text)) return -1;
  }
  return -1;
};

/**
 * Where the value of a subject begins in the text. Each word of the subject matches its first occurrence only: trying
 * every occurrence would take time that doubles with each word of a hostile instruction.
 */
const valueStart = (text: string, subject: readonly string[]): number | undefined => {
  const words = wordsOf(text);
  for (let first = 0; first < words.length; first++) {
    if (plainWord(words[first]!.text) !== subject[0]) continue;
    let last = first;
    for (const wanted of subject.slice(1)) {
      if (last >= 0) last = nextWord(words, last, (word) => plainWord(word) === wanted);
    }
    if (last < 0) continue;
    const leadsToValue = (word: string): boolean => VERB.test(word) || ENDS_WITH_SIGN.test(word);
    const verb = ENDS_WITH_SIGN.test(words[last]!.text) ? last : nextWord(words, last, leadsToValue);
    const value = verb < 0 ? undefined : words[verb + 1];
    if (value) return value.start;
  }
  return undefined;
};

interface Value {
  readonly start: number;
  readonly old: string;
}

/** "The API endpoint is Y.": the words after the verb, up to the end of the clause. */
const valueOf = (text: string, subject: string): Value | undefined => {
  const words = subject.replace(ARTICLE, '').split(/\s+/u).slice(0, SUBJECT_WORDS_MAX).map(plainWord);
  const start = valueStart(text, words);
  const old = start === undefined ? undefined : VALUE.exec(text.slice(start))?.[0];
  return start === undefined || old === undefined ? undefined : { start, old };
};

const replaceValue = (text: string, subject: string, to: string): string | undefined => {
  const value = valueOf(text, subject);
  if (!value) return undefined;
  const { start, old } = value;
  const replacement = newWords(to, old);
  if (replacement === '') return undefined;
  const like = old.split(/\s+/u).filter((word) => CODE_LIKE.test(word));
  // If the words contain one number or name, and the new value is of the same kind, only that part changes.
  const updated =
    CODE_LIKE.test(replacement) && like.length === 1 ? old.replace(like[0]!, () => replacement) : replacement;
  return text.slice(0, start) + updated + text.slice(start + old.length);
};

/** "version 2.3": a number or a name right after the words. */
const replaceBehind = (text: string, what: string, to: string): string | undefined => {
  const found = new RegExp(
    `(${wholeWords(what.replace(ARTICLE, '')).source}\\s+)(\\S*[\\d/]\\S*?)(?=[.,;!?]*(?:\\s|$))`,
    'iu',
  );
  const replacement = newWords(to, '1');
  return CODE_LIKE.test(replacement) && found.test(text)
    ? text.replace(found, (_, before: string) => before + replacement)
    : undefined;
};

const isName = (text: string, what: string): boolean =>
  /^\p{Lu}/u.test(what) && !ARTICLE.test(what) && text.includes(what);

const hasSign = (text: string, what: string): boolean =>
  new RegExp(`${wholeWords(what.replace(ARTICLE, '')).source}\\s*[:=]`, 'iu').test(text);

const isAlike = (old: string, to: string): boolean =>
  [CODE_LIKE, /^\p{Lu}/u].some((kind) => kind.test(old.split(/\s+/u)[0]!) && kind.test(to));

/**
 * "Update A to B": B replaces A if A is a name or a value, and replaces the value of A if A is a subject. Undefined if
 * both are possible.
 */
const replaceEither = (text: string, what: string, to: string): string | undefined => {
  if (unquoted(what) !== undefined || CODE_LIKE.test(what)) return replaceWords(text, what, to);
  if (hasSign(text, what)) return replaceValue(text, what, to);
  if (isName(text, what)) return replaceWords(text, what, to);
  const isSubject = ARTICLE.test(what) && !ARTICLE.test(to);
  const byWords = isSubject ? undefined : replaceWords(text, what, to);
  const byValue = replaceValue(text, what, to);
  if (byWords === undefined || byValue === undefined) return byValue ?? replaceBehind(text, what, to) ?? byWords;
  return isAlike(valueOf(text, what)!.old, to) ? byValue : undefined;
};

const bare = (sentence: string): string =>
  sentence
    .toLowerCase()
    .replace(NEGATION, ' ')
    .replace(/\b(?:do|does|did)\b|[.!?]/giu, ' ')
    .replace(/\bca\b/gu, 'can')
    .replace(/s\b/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();

const isNegated = (sentence: string): boolean => sentence.search(NEGATION) >= 0;

/** The same sentence with an added or removed "not" replaces the old one. */
const replaceNegation = (text: string, instruction: string): string | undefined => {
  const wanted = instruction.trim().replace(/[.!]+$/u, '');
  for (const { 0: found, index } of text.matchAll(/[^.!?\n]+/gu)) {
    const sentence = found.trim();
    if (bare(sentence) !== bare(wanted) || isNegated(sentence) === isNegated(wanted)) continue;
    const start = index + found.indexOf(sentence);
    return text.slice(0, start) + capitalised(wanted) + text.slice(start + sentence.length);
  }
  return undefined;
};

const STATEMENT = /^(?:note that |that )?(.{1,300}?) (?:is|are|was|were) (.{1,300})$/iu;

const differsInOneWord = (old: string, to: string): boolean => {
  const [ours, theirs] = [old.split(/\s+/u), to.split(/\s+/u)];
  if (ours.length < 2 || ours.length !== theirs.length) return false;
  return ours.filter((word, i) => word !== theirs[i]).length === 1;
};

/** "The port is 8443" on "The port is 8080.": the same statement with a value of the same kind. */
const replaceStatement = (text: string, instruction: string): string | undefined => {
  const [, subject = '', to = ''] = STATEMENT.exec(instruction.replace(/\s+/gu, ' ').replace(/[ .!]+$/u, '')) ?? [];
  const value = subject === '' ? undefined : valueOf(text, subject);
  if (!value || !(isAlike(value.old, to) || differsInOneWord(value.old, to))) return undefined;
  return replaceValue(text, subject, to);
};

const carriedOut = (text: string, intent: Intent): string | undefined => {
  switch (intent.kind) {
    case 'replace':
      return replaceWords(text, intent.from, intent.to);
    case 'contrast':
      return replaceContrast(text, intent.from, intent.to);
    case 'value':
      return replaceValue(text, intent.subject, intent.to);
    case 'update':
      return replaceEither(text, intent.what, intent.to);
    case 'add':
      return withSentence(text, intent.sentence);
    case 'remove':
      return withoutSentence(text, intent.about);
    case 'cut':
      return withoutWords(text, intent.words);
  }
};

/**
 * Applies a plain instruction without a model: replacements, renamings, new values, negations, and sentences to add or
 * remove, if the instruction states them outright. Undefined if no rule fits: guessing is left to people and models.
 */
export const proposeByRules = (text: string, instruction: string): string | undefined => {
  const readings = [
    ...intentsOf(instruction).map((intent) => carriedOut(text, intent)),
    replaceNegation(text, instruction),
    replaceStatement(text, instruction),
  ];
  // A reading that fits but changes nothing means that the text is already correct: no further guess.
  const proposed = readings.find((reading) => reading !== undefined);
  return proposed === text ? undefined : proposed;
};
