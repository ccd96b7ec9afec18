import {
  OBSERVATION_CATEGORY_CHARS_MAX,
  OBSERVATION_ID_CHARS_MAX,
  OBSERVATION_METRIC_MAX,
  OBSERVED_BEFORE,
  OBSERVED_FROM,
  text,
} from '@cairn/contracts';
import { rounded } from '@cairn/graph';

/** The value of a file at one place: text in a CSV, any value in JSON. */
export type Cell = unknown;

/** The fault of a cell, worded to follow the cell's place in a message. */
export class CellFault extends Error {}

const asText = (cell: Cell): string => {
  if (typeof cell === 'string') return cell.trim();
  if (typeof cell === 'number' && Number.isFinite(cell)) return String(cell);
  // The source's API returns an artist or a type as an object with a name.
  const name = typeof cell === 'object' && cell !== null && 'name' in cell ? cell.name : undefined;
  if (typeof name === 'string') return name.trim();
  if (cell === null || cell === undefined) return '';
  throw new CellFault('must be a text');
};

const CONTROL = /\p{Cc}/u;

const checkedText = (value: string, max: number): string => {
  if (CONTROL.test(value)) throw new CellFault('must not contain control characters');
  const result = text(1, max).safeParse(value);
  if (!result.success) throw new CellFault(result.error.issues[0]!.message);
  return result.data;
};

export const idCell = (cell: Cell): string => {
  if (typeof cell === 'number' && !Number.isSafeInteger(cell)) throw new CellFault('must be a whole number or a text');
  const value = asText(cell);
  if (value === '') throw new CellFault('must not be empty');
  return checkedText(value, OBSERVATION_ID_CHARS_MAX);
};

export const categoryCell = (cell: Cell): string | null => {
  const value = asText(cell);
  return value === '' ? null : checkedText(value, OBSERVATION_CATEGORY_CHARS_MAX);
};

const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Undefined if the row does not state an amount. */
export const amountCell = (cell: Cell): number | undefined => {
  if (cell === null || cell === undefined || cell === '') return undefined;
  if (typeof cell !== 'number' && typeof cell !== 'string') throw new CellFault('must be a number');
  const written = String(cell).trim();
  if (written === '') return undefined;
  if (!NUMBER.test(written)) throw new CellFault('must be a number, with a point before its decimals');
  const value = Number(written);
  if (value < 0) throw new CellFault('must not be negative');
  if (value > OBSERVATION_METRIC_MAX) throw new CellFault(`must be at most ${OBSERVATION_METRIC_MAX}`);
  return rounded(value);
};

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?\s?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/;
/** The date format of a Strava export, in UTC; newer exports have a narrow space before AM or PM. */
const IN_WORDS = /^([A-Z][a-z]{2})[a-z]* (\d{1,2}), (\d{4}),? (\d{1,2}):(\d{2}):(\d{2})\s?([AP])M$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

interface Fields {
  readonly date: string;
  readonly time: string;
  readonly zone: string;
}

const isoFields = (value: string): Fields | undefined => {
  const [found, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] =
    ISO.exec(value) ?? [];
  if (found === undefined) return undefined;
  const offset = zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  return { date: `${year}-${month}-${day}`, time: `${hour}:${minute}:${second}${fraction.slice(0, 4)}`, zone: offset };
};

const wordFields = (value: string): Fields | undefined => {
  const [found, name, day, year, hour, minute, second, half] = IN_WORDS.exec(value) ?? [];
  const month = MONTHS.indexOf(name ?? '') + 1;
  if (found === undefined || month === 0 || Number(hour) < 1 || Number(hour) > 12) return undefined;
  const two = (n: number | string | undefined): string => String(n).padStart(2, '0');
  const hours = (Number(hour) % 12) + (half === 'P' ? 12 : 0);
  return { date: `${year}-${two(month)}-${two(day)}`, time: `${two(hours)}:${minute}:${second}`, zone: 'Z' };
};

/** Whether the day exists in the calendar: `Date` turns February 30 into March 2. */
const exists = (date: string): boolean => {
  const at = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date);
};

const DATE_FORMS = 'must be a time such as 2026-01-02T15:04:05Z or Jan 2, 2026, 3:04:05 PM';

/** In UTC; a time without a zone is UTC. */
export const timeCell = (cell: Cell): string => {
  const value = asText(cell);
  const fields = isoFields(value) ?? wordFields(value);
  const at = fields && exists(fields.date) ? new Date(`${fields.date}T${fields.time}${fields.zone}`) : undefined;
  if (!at || Number.isNaN(at.getTime())) throw new CellFault(DATE_FORMS);
  // Outside four-digit years, the text sorts wrongly, so times are compared.
  if (at.getTime() < Date.parse(OBSERVED_FROM) || at.getTime() >= Date.parse(OBSERVED_BEFORE))
    throw new CellFault('must be in the years 1970 to 2099');
  return at.toISOString();
};
