/** What an instruction asks for, read from its words alone. */
export type Intent =
  /** These words become those. */
  | { readonly kind: 'replace'; readonly from: string; readonly to: string }
  /** What is said of the subject becomes this. */
  | { readonly kind: 'value'; readonly subject: string; readonly to: string };

/** Longer parts are no edit but an essay. */
const PART = '(.{1,300}?)';
const LAST_PART = '(.{1,300})';

interface Rule {
  readonly pattern: RegExp;
  readonly intent: (first: string, second: string) => Intent;
}

const replace = (from: string, to: string): Intent => ({ kind: 'replace', from, to });
const value = (subject: string, to: string): Intent => ({ kind: 'value', subject, to });
const rule = (source: string, intent: Rule['intent']): Rule => ({ pattern: new RegExp(source, 'iu'), intent });

/** From the most explicit wording to the least. An instruction may fit several; the first that fits the text counts. */
const RULES: readonly Rule[] = [
  rule(`\\b(?:replace|substitute|swap)\\s+${PART}\\s+(?:with|by|for)\\s+${LAST_PART}$`, replace),
  rule(`\\brename(?:d)?\\s+${PART}\\s+(?:to|as|into)\\s+${LAST_PART}$`, replace),
  rule(`\\bfrom\\s+${PART}\\s+to\\s+${LAST_PART}$`, replace),
  rule(`\\b(?:change|update|correct|set)\\s+${PART}\\s+(?:to|into)\\s+${LAST_PART}$`, replace),
  rule(
    `\\b(?:should|must|ought to)\\s+(?:be|read|say)\\s+${PART},?\\s+(?:instead of|rather than|not)\\s+${LAST_PART}$`,
    (to, from) => replace(from, to),
  ),
  rule(`\\b(?:use|say|write)\\s+${PART},?\\s+(?:instead of|rather than|not)\\s+${LAST_PART}$`, (to, from) =>
    replace(from, to),
  ),
  rule(`\\bnot\\s+${PART},?\\s+but(?:\\s+rather)?\\s+${LAST_PART}$`, replace),
  rule(`\\bnot\\s+${PART}[,;]\\s*(?:it|this|that)(?:'s| is| was)\\s+${LAST_PART}$`, replace),
  rule(`^(?:it|this|that)(?:'s| is| was)\\s+${PART},?\\s+(?:and\\s+)?not\\s+${LAST_PART}$`, (to, from) =>
    replace(from, to),
  ),
  rule(`\\b(?:is|are|was|were)\\s+${PART},\\s+(?:and\\s+)?not\\s+${LAST_PART}$`, (to, from) => replace(from, to)),
  rule(`^${PART}\\s+(?:is|are)\\s+(?:now\\s+(?:called|named|known as)|called)\\s+${LAST_PART}$`, replace),
  rule(`^${PART}\\s+(?:was|were|got|has been|have been)\\s+renamed\\s+(?:to|as|into)?\\s*${LAST_PART}$`, replace),
  rule(`^${PART}\\s+(?:is|are)\\s+now\\s+${LAST_PART}$`, value),
  rule(`^${PART}\\s+(?:is|are)\\s+now\\s+${LAST_PART}$`, replace),
  rule(`^${PART}\\s+(?:changed|moved|switched|grew|fell|rose|went)\\s+to\\s+${LAST_PART}$`, value),
  rule(`^${PART}\\s+(?:should|must)\\s+(?:be|read|say)\\s+${LAST_PART}$`, value),
  rule(`^${PART}\\s+(?:became|becomes)\\s+${LAST_PART}$`, replace),
];

/** Every reading of an instruction, the most explicit first. */
export const intentsOf = (instruction: string): Intent[] => {
  // Blanks in a row would be tried in every way of sharing them among the parts.
  const sentence = instruction
    .replace(/\s+/gu, ' ')
    .replace(/[ .!]+$/u, '')
    .trim();
  return RULES.flatMap(({ pattern, intent }) => {
    const match = pattern.exec(sentence);
    return match ? [intent(match[1]!.trim(), match[2]!.trim())] : [];
  });
};
