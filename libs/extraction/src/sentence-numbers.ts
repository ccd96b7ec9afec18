import { type SentenceNumber } from '@cairn/graph';
import { type Token } from './tagger.js';

const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
    .split(' ')
    .map((word, value) => [word, value] as const)
    .concat([
      ['thirty', 30],
      ['forty', 40],
      ['fifty', 50],
      ['sixty', 60],
      ['seventy', 70],
      ['eighty', 80],
      ['ninety', 90],
      ['hundred', 100],
      ['thousand', 1_000],
      ['million', 1_000_000],
      ['billion', 1_000_000_000],
      ['dozen', 12],
    ]),
);
const MAGNITUDES: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000, bn: 1_000_000_000 };
const WRITTEN = /^([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)(k|m|bn|[a-z%°]+)?$/iu;
const CURRENCIES = /^[$€£¥]$/u;

interface Written {
  readonly value: number | null;
  readonly unit: string | null;
}

/** "1,200", "3.5", "20k", "45ms" and "twelve" have a value; "2.4.1", "10:15" and "3/4" are text. */
const writtenAs = (lower: string): Written | undefined => {
  const word = NUMBER_WORDS.get(lower);
  if (word !== undefined) return { value: word, unit: null };
  if (!/\d/u.test(lower)) return undefined;
  const match = WRITTEN.exec(lower);
  if (!match) return { value: null, unit: null };
  const [value, suffix] = [Number(match[1]!.replaceAll(',', '')), match[2]?.toLowerCase()];
  if (suffix === undefined) return { value, unit: null };
  const magnitude = MAGNITUDES[suffix];
  return magnitude === undefined ? { value, unit: suffix } : { value: value * magnitude, unit: null };
};

const MULTIPLIERS: ReadonlySet<string> = new Set(['hundred', 'thousand', 'million', 'billion', 'dozen']);

/** The unit of the number: the noun after it, across adjectives, or a sign on either side. */
const unitOf = (tokens: readonly Token[], from: number, to: number): string | null => {
  const before = tokens[from - 1];
  if (before && CURRENCIES.test(before.text)) return before.text;
  let at = to;
  while (tokens[at]?.pos === 'ADJ' || tokens[at]?.lower === 'more' || tokens[at]?.lower === 'other') at++;
  const after = tokens[at];
  if (!after) return null;
  if (/^[%°$€£¥]/u.test(after.text)) return after.text;
  return after.pos === 'NOUN' ? after.lemma : null;
};

/** The numbers of a sentence, with their units. */
export const numbersOf = (tokens: readonly Token[]): readonly SentenceNumber[] => {
  const numbers: SentenceNumber[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = at;
    const written = writtenAs(tokens[at]!.lower);
    if (!written || (tokens[at]!.pos !== 'NUM' && !/^\d/u.test(tokens[at]!.lower))) continue;
    let { value } = written;
    // "four million" is one number.
    while (value !== null && MULTIPLIERS.has(tokens[at + 1]?.lower ?? ''))
      value *= NUMBER_WORDS.get(tokens[++at]!.lower)!;
    const text = tokens
      .slice(token, at + 1)
      .map((part) => part.text)
      .join(' ');
    numbers.push({ text, value, unit: written.unit ?? unitOf(tokens, token, at + 1), token });
  }
  return numbers;
};
