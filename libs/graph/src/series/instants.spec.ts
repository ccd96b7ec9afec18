import { describe, expect, it } from '@jest/globals';
import { instantOf, rangeOf } from './instants.js';

describe('an instant', () => {
  it.each([
    ['2026-01-01', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00.000Z'],
  ])('%s is read as %s', (given, instant) => {
    expect(instantOf(given)).toBe(instant);
  });
});

describe('a range', () => {
  it('is in UTC, its end excluded', () => {
    expect(rangeOf({ from: '2026-01-01', to: '2026-05-01' })).toEqual({
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-05-01T00:00:00.000Z',
    });
  });

  it.each([
    [{ from: '2026-01-01', to: '2026-01-01' }, 'range.to'],
    [{ from: '2026-01-02', to: '2026-01-01' }, 'range.to'],
    [{ from: '2016-01-01', to: '2026-01-02' }, 'range.to'],
  ])('%j is refused, naming %s', (given, field) => {
    expect(() => rangeOf(given)).toThrow(
      expect.objectContaining({ code: 'input.invalid', details: expect.objectContaining({ field }) as object }),
    );
  });

  it('may cover ten years', () => {
    expect(() => rangeOf({ from: '2016-02-29', to: '2026-02-28' })).not.toThrow();
  });
});
