import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { amountOf, decimalOf, millionths, rounded } from './amount.js';
import { merged, totalsOf, valueOf, type Totals } from './totals.js';

const values = fc.double({ min: 0, max: 1e9, noNaN: true }).map(rounded);

const sumOf = (numbers: readonly number[]): Totals | undefined =>
  numbers.map(totalsOf).reduce<Totals | undefined>(merged, undefined);

describe('amounts', () => {
  it.each([
    [0, '0'],
    [0.000001, '0.000001'],
    [10_240.5, '10240.5'],
    [1e9, '1000000000'],
  ])('%d is written as %s and read back', (value, decimal) => {
    expect(decimalOf(millionths(value))).toBe(decimal);
    expect(amountOf(decimal)).toBe(millionths(value));
  });

  it('are parsed from the output of Postgres, and from nothing else', () => {
    expect(amountOf('-12.5000000000')).toBe(-12_500_000n);
    expect(['', '1e5', 'NaN', '1.', '.5'].map(amountOf)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('add up exactly, where doubles do not', () => {
    expect(valueOf('sum', sumOf([0.1, 0.2])!)).toBe(0.3);
    expect(valueOf('avg', sumOf([1, 2])!)).toBe(1.5);
  });

  it('have the same sum in any order of the rows', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1 }), (numbers) => {
        expect(sumOf([...numbers].reverse())).toEqual(sumOf(numbers));
      }),
    );
  });
});
