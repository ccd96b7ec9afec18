import { describe, expect, it } from '@jest/globals';
import { parseInput } from './invalid-input.js';
import { AgentId, cutAtWord, DayOrTime, firstChars, IsoTime, Slug, Tag, text, Uuid, verbatim } from './text.js';

const LONE_SURROGATE = '\ud83d';

describe('text from outside', () => {
  it('counts code points, so that an emoji is one character', () => {
    expect(parseInput(text(1, 3), '😀😀😀')).toBe('😀😀😀');
    expect(() => parseInput(text(1, 3), '😀😀😀😀')).toThrow('input must have at most 3 characters, has 4');
  });

  it('is normalised to NFC, and measured both as sent and as stored', () => {
    expect(parseInput(text(1, 2), 'e\u0301')).toBe('é');
    expect(() => parseInput(text(1, 1), 'e\u0301')).toThrow('input must have at most 1 character, has 2');
    expect(() => parseInput(text(1, 1), '\u0958')).toThrow(
      'input must have at most 1 character, has 2 in normal form (NFC)',
    );
  });

  it.each([
    ['a NUL character', 'a\u0000b', 'input must not contain a NUL character'],
    ['a lone surrogate', `a${LONE_SURROGATE}b`, 'input must not contain a lone surrogate'],
    ['nothing', '', 'input must have at least 1 character'],
  ])('refuses %s', (_, value, message) => {
    expect(() => parseInput(text(1, 10), value)).toThrow(message);
  });

  it('names the violated bound', () => {
    const limitOf = (value: string): unknown => {
      try {
        return parseInput(text(2, 4), value);
      } catch (thrown) {
        return (thrown as { details: { limit?: unknown } }).details.limit;
      }
    };
    expect([limitOf('a'), limitOf('abcde'), limitOf('a\u0000')]).toEqual([2, 4, undefined]);
  });
});

describe('a name from outside', () => {
  it('is kept as it is, within the same bounds', () => {
    expect(parseInput(verbatim(1, 2), 'e\u0301')).toBe('e\u0301');
    expect(parseInput(verbatim(1, 1), '\u0958')).toBe('\u0958');
    for (const value of ['', 'abc', 'a\u0000', LONE_SURROGATE])
      expect(() => parseInput(verbatim(1, 2), value)).toThrow();
  });
});

describe('tags', () => {
  it.each([
    ['FooBar', 'foobar'],
    ['how-to', 'how-to'],
    ['V2', 'v2'],
  ])('folds the case of %j', (given, tag) => {
    expect(parseInput(Tag, given)).toBe(tag);
  });

  it.each(['foo bar', 'foo_bar', '-foo', 'foo-', 'foo--bar', 'größe', 'a/b'])(
    'refuses %j, which is not kebab-case',
    (given) => {
      expect(() => parseInput(Tag, given)).toThrow('input must be kebab-case: words of a-z and 0-9 joined by hyphens');
    },
  );

  it('has 1 to 64 characters', () => {
    expect(parseInput(Tag, 'a'.repeat(64))).toHaveLength(64);
    expect(() => parseInput(Tag, '')).toThrow('input must have at least 1 character');
    expect(() => parseInput(Tag, 'a'.repeat(65))).toThrow('input must have at most 64 characters');
  });
});

describe('ids, slugs and times', () => {
  it('accepts a UUID in any case and stores it in lower case', () => {
    expect(parseInput(Uuid, '0190A1B2-C3D4-7E5F-8A9B-0C1D2E3F4A5B')).toBe('0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b');
    expect(() => parseInput(Uuid, 'not-one')).toThrow('input must be a UUID');
  });

  it('accepts ISO-8601 times only with an offset', () => {
    expect(parseInput(IsoTime, '2027-01-31T12:00:00+02:00')).toBe('2027-01-31T12:00:00+02:00');
    expect(() => parseInput(IsoTime, '2027-01-31')).toThrow('input must be an ISO-8601 time');
    expect(() => parseInput(IsoTime, '2027-02-30T12:00:00Z')).toThrow('input must be an ISO-8601 time');
  });

  it.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01'])(
    'refuses %s, a time that not every store can hold',
    (given) => {
      expect(() => parseInput(IsoTime, given)).toThrow('input must be in the years 1 to 9999, in UTC');
    },
  );

  it('accepts a time to the nanosecond, and nothing longer', () => {
    expect(parseInput(IsoTime, '9999-12-31T23:59:59.123456789+00:00')).toHaveLength(35);
    expect(() => parseInput(IsoTime, `2027-01-31T12:00:00.${'0'.repeat(16)}Z`)).toThrow(
      'input must have at most 35 characters',
    );
  });

  it('refuses slugs and agent ids with other characters', () => {
    expect(() => parseInput(Slug, 'Inbox')).toThrow('input must be lower-case words');
    expect(() => parseInput(AgentId, 'my agent')).toThrow('input must be 1 to 64 characters of A-Z');
  });
});

describe('the beginning of a text', () => {
  it.each([
    ['shorter than the bound', 'ab', 3, 'ab'],
    ['longer than the bound', 'abcd', 3, 'abc'],
    ['of astral characters', '😀😀😀', 2, '😀😀'],
    ['with an astral character at the cut', 'ab😀d', 3, 'ab😀'],
  ])('is cut between characters: %s', (_, given, max, expected) => expect(firstChars(given, max)).toBe(expected));

  it.each([
    ['is whole when it fits', 'one two', 7, 'one two'],
    ['ends with a word', 'one two three', 9, 'one two…'],
    ['ends without a comma', 'one, two, three', 11, 'one, two…'],
    ['ends with a line', 'one\ntwo\nthree', 8, 'one\ntwo…'],
    ['is cut inside a long word', 'a bcdefghij', 6, 'a bcd…'],
  ])('cut at a word %s', (_, given, max, expected) => expect(cutAtWord(given, max)).toBe(expected));
});

describe('a day or a time', () => {
  it.each(['2026-01-01', '2024-02-29', '2026-01-01T01:00:00+01:00', '9999-12-31'])('may be %s', (value) => {
    expect(parseInput(DayOrTime, value)).toBe(value);
  });

  it.each(['2026-02-30', '2026-13-01', '0000-01-01', 'January', '31.01.2026', '2026-01-01T00:00:00'])(
    'is not %s',
    (value) => {
      expect(() => parseInput(DayOrTime, value)).toThrow('input must be a day such as 2027-01-31 or a time');
    },
  );
});
