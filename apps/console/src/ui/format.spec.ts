import { describe, expect, it } from '@jest/globals';
import { barPercent, fileSize, instantOf, relativeTime, safeHref, slugOf, splitTags, wholeNumber } from './format.js';

describe('the formatting of values', () => {
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
    'does not make a link of %j',
    (uri) => {
      expect(safeHref(uri)).toBeUndefined();
    },
  );

  it('makes a link of a web address', () => {
    expect(safeHref('https://example.com/a?b=c')).toBe('https://example.com/a?b=c');
  });

  it('draws a bar as a share of its track, and never outside it', () => {
    expect(barPercent(0.35, 0.7)).toBe(50);
    expect(barPercent(-0.2, 1)).toBe(0);
    expect(barPercent(2, 1)).toBe(100);
    expect(barPercent(1, 0)).toBe(0);
    expect(barPercent(Number.NaN, 1)).toBe(0);
  });

  it('reads each tag once, without surrounding spaces', () => {
    expect(splitTags(' a, b ,,a ')).toEqual(['a', 'b']);
  });

  it('proposes a slug that the server accepts', () => {
    expect(slugOf('Über Bücher & Co.')).toBe('uber-bucher-co');
    expect(slugOf('a'.repeat(63) + ' b')).toBe('a'.repeat(63));
    expect(slugOf('日本')).toBe('');
  });

  it('distinguishes an empty number from an invalid one', () => {
    expect(wholeNumber('')).toBeNull();
    expect(wholeNumber(' 12 ')).toBe(12);
    expect(wholeNumber('-1')).toBeUndefined();
    expect(wholeNumber('1e9')).toBeUndefined();
  });

  it('converts a local time to an instant, and an empty field to undefined', () => {
    expect(instantOf('')).toBeUndefined();
    expect(instantOf('soon')).toBeUndefined();
    expect(instantOf('2026-06-15T12:00')).toBe(new Date('2026-06-15T12:00').toISOString());
  });

  it.each([
    [812, '812 B'],
    [4_250, '4.3 kB'],
    [20_971_520, '21 MB'],
  ])('%i bytes are %s', (bytes, shown) => {
    expect(fileSize(bytes)).toBe(shown);
  });
});
