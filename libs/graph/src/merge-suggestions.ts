/** The relation of two names of one entity: stated by a text, or suggested as a merge. */
export const SAME_AS = 'same_as';

/** Two names that may be one entity, and why. */
export interface MergeSuggestion {
  readonly aliasKey: string;
  readonly canonicalKey: string;
  readonly reason: 'part_of_name' | 'similar_spelling';
}

const SIMILARITY_MIN = 0.9;
/** The next whole number, whatever 0.9 times a whole number is in binary. */
const atLeast = (share: number): number => Math.ceil(share - 1e-9);
/** Shorter names may differ by one letter and mean someone else. */
const LETTERS_MIN = 6;
const ENTROPY_MIN = 1.5;

const trigrams = (key: string): ReadonlySet<string> => {
  const padded = `  ${key} `;
  return new Set(Array.from({ length: padded.length - 2 }, (_, i) => padded.slice(i, i + 3)));
};

/** Whether two sets have this share of all their grams in common. */
const isSimilar = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  // shared / (a + b - shared) >= share, for the number of grams that only `a` has.
  let missing = a.size - atLeast((SIMILARITY_MIN * (a.size + b.size)) / (1 + SIMILARITY_MIN));
  if (missing < 0) return false;
  for (const gram of a) if (!b.has(gram) && --missing < 0) return false;
  return true;
};

/** In bits per letter: "aaaa" does not identify anything. */
const entropy = (text: string): number => {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts.values()].reduce((sum, n) => sum - (n / text.length) * Math.log2(n / text.length), 0);
};

const isTelling = (key: string): boolean =>
  entropy(key) >= ENTROPY_MIN && (key.length >= LETTERS_MIN || key.includes(' '));

const addTo = (lists: Map<string, string[]>, name: string, value: string): void => {
  const list = lists.get(name);
  if (list) list.push(value);
  else lists.set(name, [value]);
};

/** One-word names that occur in exactly one longer name. */
const partsOfNames = (keys: readonly string[]): MergeSuggestion[] => {
  const longer = new Map<string, string[]>();
  for (const key of keys) if (key.includes(' ')) for (const word of new Set(key.split(' '))) addTo(longer, word, key);
  return keys.flatMap((key): MergeSuggestion[] => {
    const [canonicalKey, another] = longer.get(key) ?? [];
    return canonicalKey === undefined || another !== undefined
      ? []
      : [{ aliasKey: key, canonicalKey, reason: 'part_of_name' }];
  });
};

/**
 * The rarest grams of a name, so many that a similar name has one of them among its own rarest: with fewer than that in
 * common, two names are not similar. Only names that share one are compared, instead of all with all.
 */
const rarest = (grams: ReadonlySet<string>, uses: ReadonlyMap<string, number>): readonly string[] =>
  [...grams]
    .sort((a, b) => uses.get(a)! - uses.get(b)! || (a < b ? -1 : 1))
    .slice(0, grams.size - atLeast(SIMILARITY_MIN * grams.size) + 1);

/** Names that share a gram and are compared with each other; a gram that is more common says nothing about a name. */
const SHARED_GRAM_MAX = 200;

const spelledAlike = (a: string, b: string): MergeSuggestion => {
  const [canonicalKey, aliasKey] = a.length > b.length || (a.length === b.length && a < b) ? [a, b] : [b, a];
  return { aliasKey, canonicalKey, reason: 'similar_spelling' };
};

const similarSpellings = (keys: readonly string[]): MergeSuggestion[] => {
  const grams = new Map(keys.filter(isTelling).map((key) => [key, trigrams(key)]));
  const uses = new Map<string, number>();
  for (const own of grams.values()) for (const gram of own) uses.set(gram, (uses.get(gram) ?? 0) + 1);
  const byGram = new Map<string, string[]>();
  for (const [key, own] of grams) for (const gram of rarest(own, uses)) addTo(byGram, gram, key);
  const found = new Map<string, MergeSuggestion>();
  for (const sharing of byGram.values()) {
    if (sharing.length > SHARED_GRAM_MAX) continue;
    for (const [i, a] of sharing.entries())
      for (const b of sharing.slice(i + 1))
        if (isSimilar(grams.get(a)!, grams.get(b)!)) found.set(`${a}|${b}`, spelledAlike(a, b));
  }
  return [...found.values()];
};

/** Pairs of names that a person may want to merge. Nothing is merged automatically. */
export const mergeSuggestions = (keys: readonly string[]): MergeSuggestion[] => [
  ...partsOfNames(keys),
  ...similarSpellings(keys),
];
