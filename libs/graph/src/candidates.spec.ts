import { describe, expect, it } from '@jest/globals';
import { NAMES_COMPARED_MAX } from '@cairn/contracts';
import fc from 'fast-check';
import { byRank, candidateScore, misspelt, spellingsOf } from './candidate-rank.js';
import { mergeSuggestions } from './merge-suggestions.js';

describe('candidates for a name', () => {
  it('are ranked by match, then hints, then mentions, then key', () => {
    const one = (match: 'exact' | 'word', hints: number, mentions: number, key: string) => ({
      match,
      hints,
      mentions,
      key,
    });
    const ranked = [
      one('exact', 0, 1, 'z'),
      one('word', 1, 1, 'y'),
      one('word', 0, 9, 'x'),
      one('word', 0, 1, 'a'),
      one('word', 0, 1, 'b'),
    ];
    expect(ranked.toReversed().toSorted(byRank)).toEqual(ranked);
  });

  it('never score above a closer match because of hints', () => {
    expect(candidateScore({ match: 'prefix', hints: 1 })).toBeLessThan(candidateScore({ match: 'word', hints: 0 }));
    expect(candidateScore({ match: 'exact', hints: 1 })).toBe(1);
  });

  it.each([
    ['alcie', ['alice chen'], true],
    ['alice chan', ['alice chen'], true],
    ['bob', ['bo'], false],
    ['alice', ['malik reed'], false],
  ])('by spelling: %j for %j is %p', (asked, keys, isFound) => {
    expect(misspelt(asked, keys).length > 0).toBe(isFound);
  });
});

describe('the patterns of a misspelt name', () => {
  /** As the database compares: the name between two spaces. */
  const isLike = (key: string, pattern: string): boolean => {
    const body = pattern.replace(/\\(.)|%|[.*+?^${}()|[\]]/gsu, (all, escaped: string | undefined) =>
      all === '%' ? '.*' : `\\u{${(escaped ?? all).codePointAt(0)!.toString(16)}}`,
    );
    return new RegExp(`^${body}$`, 'su').test(` ${key} `);
  };
  const EDITS: readonly ((word: string, at: number) => string)[] = [
    (word, at) => word.slice(0, at) + word.slice(at + 1),
    (word, at) => `${word.slice(0, at)}x${word.slice(at)}`,
    (word, at) => `${word.slice(0, at)}x${word.slice(at + 1)}`,
    (word, at) => word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2),
  ];
  const edit = fc.tuple(fc.constantFrom(...EDITS), fc.nat());
  const word = fc.stringMatching(/^[ab%_\\]{4,10}$/);

  it('match every name that it may mean', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 2 }),
        fc.array(edit, { minLength: 1, maxLength: 2 }),
        fc.constantFrom('', 'some ', 'some other '),
        (words, edits, before) => {
          const asked = words.join(' ');
          const edited = edits.reduce((name, [change, at]) => change(name, at % (name.length + 1)), asked);
          const key = `${before}${edited}`;
          if (misspelt(asked, [key]).length === 0) return;
          const { min, max, patterns } = spellingsOf(asked)!;
          expect(key.length >= min && key.length <= max).toBe(true);
          expect(patterns.some((pattern) => isLike(key, pattern))).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('match few others', () => {
    const { patterns } = spellingsOf('zebulon')!;
    const matching = ['alice chen', 'project zeppelin', 'zebulun', 'big zebra'].filter((key) =>
      patterns.some((pattern) => isLike(key, pattern)),
    );
    expect(matching).toEqual(['zebulun', 'big zebra']);
  });
});

describe('suggested merges', () => {
  it('pair one word with the only longer name that contains it', () => {
    expect(mergeSuggestions(['alice', 'alice chen', 'bob', 'bob stone', 'bob reed'])).toEqual([
      { aliasKey: 'alice', canonicalKey: 'alice chen', reason: 'part_of_name' },
    ]);
  });

  it('pair names with almost the same spelling, if they are long enough to be distinctive', () => {
    const found = mergeSuggestions(['meridian laboratories group', 'meridian laboratories groups', 'ann', 'anne']);
    expect(found).toEqual([
      {
        aliasKey: 'meridian laboratories group',
        canonicalKey: 'meridian laboratories groups',
        reason: 'similar_spelling',
      },
    ]);
  });

  it('are the same as if every name were compared with every other', () => {
    const word = fc.stringMatching(/^[abc]{3,5}$/);
    const name = fc.array(word, { minLength: 2, maxLength: 5 }).map((words) => words.join(' '));
    const likeIt = fc.tuple(name, fc.nat(), fc.constantFrom('x', '')).map(([own, at, letter]) => {
      const i = at % own.length;
      return [own, `${own.slice(0, i)}${letter}${own.slice(i + 1)}`];
    });
    const names = fc.array(likeIt, { maxLength: 12 }).map((pairs) => [...new Set(pairs.flat())].sort());
    fc.assert(
      fc.property(names, (keys) => {
        const alike = mergeSuggestions(keys).filter(({ reason }) => reason === 'similar_spelling');
        const among = (some: readonly string[]) =>
          mergeSuggestions(some).some(({ reason }) => reason === 'similar_spelling');
        const pairs = keys.flatMap((a, i) => keys.slice(i + 1).filter((b) => among([a, b])));
        expect(alike).toHaveLength(pairs.length);
      }),
    );
  });

  it.each([
    ['two words', (i: number) => `${'abcdefghij'[i % 10]}lice${i % 997} chen${(i * 7919) % 20_011}`],
    ['a common beginning', (i: number) => `project x${(i * 7919) % 20_011} of ${i % 13}`],
    ['a common word', (i: number) => `project ${((i * 7919) % 20_011).toString(36)}`],
  ])(
    'of the most names that are compared, each of %s, take a moment',
    (_, nameOf) => {
      const keys = Array.from({ length: NAMES_COMPARED_MAX }, (_name, i) => nameOf(i)).sort();
      const before = process.cpuUsage();
      mergeSuggestions(keys);
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_500);
    },
    120_000,
  );
});
