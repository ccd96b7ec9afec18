const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const DAYS_AS_AGO = 30;

/** "3 hours ago"; the date itself if it is long past or far ahead. */
export const relativeTime = (iso: string, now: number): string => {
  const seconds = Math.round((Date.parse(iso) - now) / 1_000);
  if (Number.isNaN(seconds)) return iso;
  if (Math.abs(seconds) > DAYS_AS_AGO * 86_400) return iso.slice(0, 10);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
};

/** Returns a link only for web pages: a stored URI may be `javascript:` or anything else. */
export const safeHref = (uri: string): string | undefined => {
  try {
    const { protocol, href } = new URL(uri);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    return undefined;
  }
};

/** The length of a bar, in percent of its track. A negative contribution has no bar. */
export const barPercent = (value: number, of: number): number =>
  of > 0 && Number.isFinite(value) ? Math.round(Math.min(Math.max(value / of, 0), 1) * 100) : 0;

export const TAGS_HINT = 'Separated by commas; each of lower-case letters, digits and hyphens.';

export const splitTags = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];

/** Proposes a slug for a name; the server accepts it. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
    .replace(/-+$/, '');

/** A whole number, null for an empty field, or undefined for anything else. */
export const wholeNumber = (text: string): number | null | undefined => {
  if (text.trim() === '') return null;
  return /^\d{1,12}$/.test(text.trim()) ? Number(text.trim()) : undefined;
};

/** The instant of a local date and time field, which has no time zone of its own. */
export const instantOf = (local: string): string | undefined => {
  const at = new Date(local);
  return local === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
};

export const plural = (count: number, word: string, words = `${word}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? word : words}`;

/** "4.2 MB": one decimal for values below ten. */
export const fileSize = (bytes: number): string => {
  const [unit, length] = bytes >= 1e6 ? (['MB', 1e6] as const) : bytes >= 1e3 ? (['kB', 1e3] as const) : ['B', 1];
  const amount = bytes / length;
  return `${length > 1 && amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${unit}`;
};
