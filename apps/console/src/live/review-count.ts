/** More than this is shown as "9+": the exact number would not change what to do. */
export const COUNTED_MAX = 9;

export const countLabel = (count: number): string =>
  count === 0 ? '' : count > COUNTED_MAX ? `${COUNTED_MAX}+` : `${count}`;
