import { describe, expect, it } from '@jest/globals';
import { barPercent, instantOf, relativeTime, safeHref, slugOf, splitTags, wholeNumber } from './format.js';

describe('what the console makes of values', () => {
  const NOW = Date.parse('2026-06-15T12:00:00.000Z');

  it.each([
    ['2026-06-15T11:59:30.000Z', '30 seconds ago'],
    ['2026-06-15T11:00:00.000Z', '1 hour ago'],
    ['2026-06-14T12:00:00.000Z', 'yesterday'],
    ['2026-06-16T12:00:00.000Z', 'tomorrow'],
    ['2026-01-02T00:00:00.000Z', '2026-01-02'],
    ['not a time', 'not a time'],
  ])('shows the time %s relative to now', (iso, shown) => {
    expect(relativeTime(iso, NOW)).toBe(shown);
  });

  it.each(['javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'no address', ''])(
    'makes no link of %j',
    (uri) => {
      expect(safeHref(uri)).toBeUndefined();
    },
  );

  it('makes a link of an address in the web', () => {
    expect(safeHref('https://example.com/a?b=c')).toBe('https://example.com/a?b=c');
  });

  it('draws a bar as the share of what it can be, and never outside its track', () => {
    expect(barPercent(0.35, 0.7)).toBe(50);
    expect(barPercent(-0.2, 1)).toBe(0);
    expect(barPercent(2, 1)).toBe(100);
    expect(barPercent(1, 0)).toBe(0);
    expect(barPercent(Number.NaN, 1)).toBe(0);
  });

  it('reads tags once each, without blanks', () => {
    expect(splitTags(' a, b ,,a ')).toEqual(['a', 'b']);
  });

  it('proposes a slug that the server accepts', () => {
    expect(slugOf('Über Bücher & Co.')).toBe('uber-bucher-co');
    expect(slugOf('a'.repeat(63) + ' b')).toBe('a'.repeat(63));
    expect(slugOf('日本')).toBe('');
  });

  it('tells an empty number from a wrong one', () => {
    expect(wholeNumber('')).toBeNull();
    expect(wholeNumber(' 12 ')).toBe(12);
    expect(wholeNumber('-1')).toBeUndefined();
    expect(wholeNumber('1e9')).toBeUndefined();
  });

  it('gives the instant of a local time, and nothing for none', () => {
    expect(instantOf('')).toBeUndefined();
    expect(instantOf('soon')).toBeUndefined();
    expect(instantOf('2026-06-15T12:00')).toBe(new Date('2026-06-15T12:00').toISOString());
  });
});
