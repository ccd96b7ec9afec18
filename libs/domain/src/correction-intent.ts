/** The meaning of an instruction, read from its words alone. */
export type Intent =
  /** Replaces the words `from` with `to`. */
  | { readonly kind: 'replace'; readonly from: string; readonly to: string }
  /** Like `replace`, but the new words may begin with the words that precede the old ones in the text. */
  | { readonly kind: 'contrast'; readonly from: string; readonly to: string }
  /** Replaces the value of the subject. */
  | { readonly kind: 'value'; readonly subject: string; readonly to: string }
  /** Replaces either the words themselves or their value. */
  | { readonly kind: 'update'; readonly what: string; readonly to: string }
  /** Adds a sentence. */
  | { readonly kind: 'add'; readonly sentence: string }
  /** Removes the sentence about this. */
  | { readonly kind: 'remove'; readonly about: string }
  /** Removes these words. */
  | { readonly kind: 'cut'; readonly words: string };

/** A longer part is an essay, not an edit. */
const PART = '(.{1,300}?)';
const LAST_PART = '(.{1,300})';

interface Rule {
  readonly pattern: RegExp;
  readonly intent: (first: string, second: string) => Intent;
}

const replace = (from: string, to: string): Intent => ({ kind: 'replace', from, to });
const value = (subject: string, to: string): Intent => ({ kind: 'value', subject, to });
const contrast = (to: string, from: string): Intent => ({ kind: 'contrast', from, to });
const update = (what: string, to: string): Intent => ({ kind: 'update', what, to });
const rule = (source: string, intent: Rule['intent']): Rule => ({ pattern: new RegExp(source, 'iu'), intent });

const IS = "(?:'s|’s|\\s+is|\\s+are|\\s+was|\\s+were)";
const WRONG =
  '(?:wrong|incorrect|outdated|obsolete|out of date|a typo|not (?:right|correct|true)|no longer (?:right|correct|true|valid))';
/** Introduces the replacement, after the statement that something is wrong. */
const RATHER = `(?:(?:it|this|that|they|the (?:correct|right|new|actual) \\w+)(?:${IS}|\\s+should)(?:\\s+(?:be|read|say|now))*\\s+|(?:should be|use|make it)\\s+)`;

/** From the most explicit wording to the least. An instruction may fit several; the first that fits the text counts. */
const RULES: readonly Rule[] = [
  rule(`\\b(?:replace|substitute|swap)\\s+${PART}\\s+(?:with|by|for)\\s+${LAST_PART}$`, replace),
  rule(`\\brename(?:d)?\\s+${PART}\\s+(?:to|as|into)\\s+${LAST_PART}$`, replace),
  rule(`\\bfrom\\s+${PART}\\s+to\\s+${LAST_PART}$`, replace),
  rule(`^${PART}\\s*(?:->|=>|→)\\s*${LAST_PART}$`, replace),
  rule(`^${PART}\\s+(?:is|are|was|were)\\s+${WRONG}\\s*[,;:.–-]*\\s*(?:and\\s+)?${RATHER}${LAST_PART}$`, update),
  rule(`\\bsays?\\s+${PART},?\\s+but\\s+${RATHER}${LAST_PART}$`, replace),
  rule(
    `\\b(?:change|update|correct|set|fix)\\s+${PART}\\s+(?:to|into)\\s+(?:(?:be|say|read)\\s+)?${LAST_PART}$`,
    update,
  ),
  rule(
    `\\b(?:should|must|ought to)\\s+(?:be|read|say)\\s+${PART},?\\s+(?:instead of|rather than|not)\\s+${LAST_PART}$`,
    contrast,
  ),
  rule(`\\b(?:use|say|write)\\s+${PART},?\\s+(?:instead of|rather than|not)\\s+${LAST_PART}$`, contrast),
  rule(`\\bnot\\s+${PART},?\\s+but(?:\\s+rather)?\\s+${LAST_PART}$`, replace),
  rule(`\\bnot\\s+${PART}[,;]\\s*(?:it|this|that)(?:'s| is| was)\\s+${LAST_PART}$`, replace),
  rule(`^(?:it|this|that|they)${IS}\\s+${PART}(?:\\s+now)?,?\\s+(?:and\\s+)?not\\s+${LAST_PART}$`, contrast),
  rule(
    `\\b(?:is|are|was|were)\\s+${PART}(?:,\\s+(?:and\\s+)?not|,?\\s+instead of|,?\\s+rather than)\\s+${LAST_PART}$`,
    contrast,
  ),
  rule(`^${PART},\\s+(?:and\\s+)?not\\s+${LAST_PART}$`, contrast),
  rule(`^${PART}\\s+(?:is|are)\\s+(?:now\\s+(?:called|named|known as)|called)\\s+${LAST_PART}$`, replace),
  rule(`^${PART}\\s+(?:was|were|got|has been|have been)\\s+renamed\\s+(?:to|as|into)?\\s*${LAST_PART}$`, replace),
  rule(`^${PART}\\s+(?:is|are)\\s+now\\s+${LAST_PART}$`, value),
  rule(`^${PART}\\s+(?:is|are)\\s+now\\s+${LAST_PART}$`, replace),
  rule(
    `^${PART}\\s+(?:(?:was|were|has been|have been|got|has|have)\\s+)?(?:changed|moved|switched|grew|fell|rose|went|updated|set)\\s+to\\s+${LAST_PART}$`,
    value,
  ),
  rule(`^${PART}\\s+(?:should|must)\\s+(?:be|read|say)\\s+${LAST_PART}$`, update),
  rule(`^${PART}\\s+(?:became|becomes)\\s+${LAST_PART}$`, replace),
];

/** Phrases that may precede the change itself. */
const OPENING = /^(?:(?:please|actually|correction|typo|fix(?: the typo)?|sorry|no|note|fyi|in fact)\b[,:]? )+/iu;
const NOUN = '(?:sentence|line|part|bit|note|passage|paragraph|statement|remark|mention)';
const ADD = new RegExp(
  `^(?:also )?(?:add|append)(?: (?:a|the|this|another) ${NOUN})?(?:: ?| (?:that|saying|which says) (?:that )?)(.+)$`,
  'iu',
);
const ADD_QUOTED = new RegExp(`^(?:also )?(?:add|append)(?: (?:a|the|this|another) ${NOUN})? ["“](.+)["”]$`, 'iu');
const ABOUT =
  '(?:about|on|regarding|concerning|mentioning|of|(?:that|which) (?:mentions|says|is about|talks about|states))';
const REMOVE = new RegExp(`^(?:remove|delete|drop|strike|cut) (?:the|that|this) ${NOUN} ${ABOUT} (.+)$`, 'iu');
const REMOVED = new RegExp(
  `^the ${NOUN} ${ABOUT} (.+?) (?:should|must|can|has to|needs to) (?:be (?:removed|deleted|dropped)|go)$`,
  'iu',
);
const CUT = /^(?:remove|delete|drop|strike|cut)(?: the (?:words?|phrase))? ["“](.+)["”]$/iu;

const unquoted = (part: string): string => part.replace(/^["“](.*)["”]$/u, '$1');

/** An instruction about whole sentences has no other meaning. */
const sentenceIntent = (instruction: string): Intent | undefined => {
  const asked = instruction.replace(/[.!]+$/u, '');
  const added = ADD.exec(instruction)?.[1] ?? ADD_QUOTED.exec(asked)?.[1];
  if (added !== undefined) return { kind: 'add', sentence: unquoted(added.trim()) };
  const about = REMOVE.exec(asked)?.[1] ?? REMOVED.exec(asked)?.[1];
  if (about !== undefined) return { kind: 'remove', about };
  const words = CUT.exec(asked)?.[1];
  return words === undefined ? undefined : { kind: 'cut', words };
};

/** Every reading of an instruction, the most explicit first. */
export const intentsOf = (instruction: string): Intent[] => {
  // With repeated spaces, a pattern would try every way of distributing them among its parts.
  const whole = instruction.replace(/\s+/gu, ' ').trim().replace(OPENING, '');
  const intent = sentenceIntent(whole);
  if (intent) return [intent];
  const sentence = whole.replace(/[ .!]+$/u, '');
  return RULES.flatMap(({ pattern, intent }) => {
    const match = pattern.exec(sentence);
    return match ? [intent(match[1]!.trim(), match[2]!.trim())] : [];
  });
};
