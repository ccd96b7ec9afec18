const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const DAYS_AS_AGO = 30;

/** "3 hours ago"; the date itself when it is long past or far ahead. */
export const relativeTime = (iso: string, now: number): string => {
  const seconds = Math.round((Date.parse(iso) - now) / 1_000);
  if (Number.isNaN(seconds)) return iso;
  if (Math.abs(seconds) > DAYS_AS_AGO * 86_400) return iso.slice(0, 10);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
};

/** A link only where a browser goes to a web page: a stored URI may be `javascript:` or anything else. */
export const safeHref = (uri: string): string | undefined => {
  try {
    const { protocol, href } = new URL(uri);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    return undefined;
  }
};

/** How long a bar is, in percent of its track. Negative contributions show as nothing. */
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

/** A slug that the server accepts, as a first proposal for a name. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
    .replace(/-+$/, '');

/** A whole number, null for an empty field, undefined for anything else. */
export const wholeNumber = (text: string): number | null | undefined => {
  if (text.trim() === '') return null;
  return /^\d{1,12}$/.test(text.trim()) ? Number(text.trim()) : undefined;
};

/** The instant of a local date and time field, which has no zone of its own. */
export const instantOf = (local: string): string | undefined => {
  const at = new Date(local);
  return local === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
};

export const plural = (count: number, word: string): string =>
  `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
