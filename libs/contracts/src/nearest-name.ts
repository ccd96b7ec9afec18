/**
 * The number of edits that turn one name into the other; swapping two neighbours is one edit (optimal string
 * alignment).
 */
export const editDistance = (a: string, b: string): number => {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) best = Math.min(best, beforeLast[j - 2]! + 1);
      row.push(best);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length]!;
};

/** Below this similarity, two names have too little in common to be worth suggesting. */
const SIMILARITY_MIN = 0.5;
/** One letter is part of almost every name. */
const CONTAINED_LETTERS_MIN = 2;

/** `item_id`, `itemId` and `ItemID` are one name. */
const folded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** From this similarity of spelling on, two names differ by a typing error. */
const SPELLING_MIN = 0.7;

const spelling = (a: string, b: string): number => 1 - editDistance(a, b) / Math.max(a.length, b.length, 1);

const similarity = (a: string, b: string): number => {
  const [part, whole] = a.length < b.length ? [a, b] : [b, a];
  const isPart = part.length >= CONTAINED_LETTERS_MIN && whole.includes(part);
  const share = part.length / Math.max(whole.length, 1);
  return Math.max(isPart ? 0.5 + share / 2 : 0, spelling(a, b));
};

/**
 * The known name that the caller most likely meant, if one is close enough. A less likely name counts only if it is
 * spelled nearly the same.
 */
export const nearestName = (
  given: string,
  known: readonly string[],
  lessLikely: readonly string[] = [],
): string | undefined => {
  const spelledAlike = lessLikely.filter((name) => spelling(folded(given), folded(name)) >= SPELLING_MIN);
  const scored = [...known, ...spelledAlike].map((name) => ({
    name,
    score: similarity(folded(given), folded(name)),
  }));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a), { name: '', score: 0 });
  return best.score > SIMILARITY_MIN ? best.name : undefined;
};
