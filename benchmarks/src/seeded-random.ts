export type Random = () => number;

/** mulberry32: short, and random enough to pick words. */
export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Squaring favours the front of the list, as language favours a few words and a network a few members. */
export const pickIndex = (random: Random, count: number): number => Math.floor(random() ** 2 * count);

export const pick = <T>(random: Random, from: readonly T[]): T => from[pickIndex(random, from.length)]!;
