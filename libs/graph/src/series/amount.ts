/**
 * Amounts are whole numbers of millionths, so that a sum is exact and does not depend on the order of its rows: it is
 * the same before and after a purge, in SQL and in memory.
 */
export const AMOUNT_DECIMALS = 6;
const PER_UNIT = 10 ** AMOUNT_DECIMALS;
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Requires a number below `OBSERVATION_METRIC_MAX`, whose millionths a double holds exactly. */
export const millionths = (value: number): bigint => BigInt(Math.round(value * PER_UNIT));

/** A number as it is stored: with at most six decimals. */
export const rounded = (value: number): number => Math.round(value * PER_UNIT) / PER_UNIT;

export const decimalOf = (amount: bigint): string => {
  const digits = String(amount < 0n ? -amount : amount).padStart(AMOUNT_DECIMALS + 1, '0');
  const fraction = digits.slice(-AMOUNT_DECIMALS).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -AMOUNT_DECIMALS)}${fraction && `.${fraction}`}`;
};

/** Undefined for text that is not a decimal; digits after the sixth are cut. */
export const amountOf = (decimal: string): bigint | undefined => {
  const [, sign, whole, fraction = ''] = DECIMAL.exec(decimal) ?? [];
  if (whole === undefined) return undefined;
  const amount = BigInt(whole + fraction.slice(0, AMOUNT_DECIMALS).padEnd(AMOUNT_DECIMALS, '0'));
  return sign === '-' ? -amount : amount;
};
