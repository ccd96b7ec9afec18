import { editDistance, type MatchReason } from '@cairn/contracts';

/** A folder with the names that a person uses for it. */
export interface NamedFolder {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

export interface FolderCandidate<F extends NamedFolder = NamedFolder> {
  readonly folder: F;
  readonly match: MatchReason;
  /** 0..1, rounded to two decimals: for ranking and for people. */
  readonly score: number;
}

export type Resolution<F extends NamedFolder = NamedFolder> =
  | { readonly kind: 'exact'; readonly folder: F }
  | { readonly kind: 'close'; readonly candidates: readonly FolderCandidate<F>[] }
  | { readonly kind: 'none' };

/** Two names with a lower similarity are different names. */
const SIMILARITY_MIN = 0.7;
const SHARED_WORDS_MIN = 0.5;
/** One or two letters are part of almost every name. */
const CONTAINED_LETTERS_MIN = 3;
export const CANDIDATES_MAX = 5;

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** "Book Notes", "book-notes" and "booknotes" are one name: only letters and digits distinguish names. */
export const normalisedName = (text: string): string => wordsOf(text).join('');

/** A name that contains the text scores higher than its share of common letters. */
const containment = (part: string, whole: string): number =>
  part.length >= CONTAINED_LETTERS_MIN && whole.includes(part) ? 0.5 + part.length / whole.length / 2 : 0;

/** The share of words that both have; order and repetition do not count. */
const sharedWords = (ours: ReadonlySet<string>, theirs: ReadonlySet<string>): number => {
  const shared = [...ours].filter((word) => theirs.has(word)).length;
  return shared / (ours.size + theirs.size - shared || 1);
};

const similarity = (asked: string, name: string): number => {
  const longest = Math.max(asked.length, name.length, 1);
  // The difference in length is a lower bound of the edit distance, and rules most names out.
  const isFar = Math.abs(asked.length - name.length) > longest * (1 - SIMILARITY_MIN);
  return isFar ? 0 : 1 - editDistance(asked, name) / longest;
};

const scored = (match: MatchReason, score: number): { match: MatchReason; score: number } => ({
  match,
  score: Math.round(score * 100) / 100,
});

/**
 * The strongest reason to assume that this name is meant, if any. A contained text is the reason a person understands
 * best.
 */
const matchOf = (asked: string, name: string): { match: MatchReason; score: number } | undefined => {
  const [ours, theirs] = [normalisedName(asked), normalisedName(name)];
  const [ourWords, theirWords] = [new Set(wordsOf(asked)), new Set(wordsOf(name))];
  const contained = containment(ours, theirs);
  // In the other direction, the text contains the name: as words, or only as letters.
  const containing = containment(theirs, ours);
  const isContainedInWords = [...theirWords].every((word) => ourWords.has(word));
  const words = sharedWords(ourWords, theirWords);
  const spelling = similarity(ours, theirs);
  const reasons = [
    ...(contained > 0 ? [scored('contains your text', contained)] : []),
    ...(containing > 0 ? [scored(isContainedInWords ? 'same words' : 'close spelling', containing)] : []),
    ...(words >= SHARED_WORDS_MIN ? [scored('same words', words)] : []),
    ...(spelling >= SIMILARITY_MIN ? [scored('close spelling', spelling)] : []),
  ];
  return reasons.sort((a, b) => b.score - a.score)[0];
};

const candidateOf = <F extends NamedFolder>(asked: string, folder: F): FolderCandidate<F>[] => {
  const matches = [folder.name, folder.slug].flatMap((name) => matchOf(asked, name) ?? []);
  const best = matches.sort((a, b) => b.score - a.score)[0];
  return best ? [{ folder, ...best }] : [];
};

/**
 * Finds the folder that a person's words refer to: exactly, or as a list to choose from. It never chooses between two:
 * a name that fits several folders exactly gives a list too. An exact slug always means its own folder, even if another
 * folder has that slug as its name.
 */
export const resolveFolder = <F extends NamedFolder>(asked: string, folders: readonly F[]): Resolution<F> => {
  const ofSlug = folders.find(({ slug }) => slug === asked.trim());
  if (ofSlug) return { kind: 'exact', folder: ofSlug };
  const wanted = normalisedName(asked);
  const isNamed = ({ slug, name }: F): boolean => [slug, name].some((one) => normalisedName(one) === wanted);
  const exact = wanted === '' ? [] : folders.filter(isNamed);
  if (exact.length === 1) return { kind: 'exact', folder: exact[0]! };
  if (exact.length > 1) {
    const candidates = exact.slice(0, CANDIDATES_MAX).map((folder) => ({ folder, ...scored('same words', 1) }));
    return { kind: 'close', candidates };
  }
  const candidates = folders
    .flatMap((folder) => candidateOf(asked, folder))
    .sort((a, b) => b.score - a.score || a.folder.name.localeCompare(b.folder.name, 'en'))
    .slice(0, CANDIDATES_MAX);
  return candidates.length === 0 ? { kind: 'none' } : { kind: 'close', candidates };
};
