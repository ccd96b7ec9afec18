/** A point in time as written in a sentence: only the stated parts. */
export interface WrittenDate {
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
  readonly weekday?: number;
  /** Minutes since midnight. */
  readonly time?: number;
  readonly start: number;
  readonly end: number;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const WEEKDAYS = 'mon tue wed thu fri sat sun'.split(' ');
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const WEEKDAY = '(mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?';

const monthOf = (word: string): number => MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1;

type Parts = Omit<WrittenDate, 'start' | 'end'>;

const clockTime = (hour: string, minute: string | undefined, half: string | undefined): Parts => {
  const late = half?.toLowerCase().startsWith('p') === true;
  const hours = (Number(hour) % 12) + (late ? 12 : 0);
  return { time: (half === undefined ? Number(hour) : hours) * 60 + Number(minute ?? 0) };
};

/** The first form that fits consumes its letters, so the longest come first. */
const FORMS: readonly (readonly [RegExp, (groups: readonly (string | undefined)[]) => Parts])[] = [
  [/\b(\d{4})-(\d{2})-(\d{2})\b/gi, ([, y, m, d]) => ({ year: Number(y), month: Number(m), day: Number(d) })],
  [
    new RegExp(`\\b${MONTH}\\.? (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})\\b`, 'gi'),
    ([, m, d, y]) => ({ year: Number(y), month: monthOf(m!), day: Number(d) }),
  ],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH}\\.?,? (\\d{4})\\b`, 'gi'),
    ([, d, m, y]) => ({ year: Number(y), month: monthOf(m!), day: Number(d) }),
  ],
  [new RegExp(`\\b${MONTH}\\.? (\\d{4})\\b`, 'gi'), ([, m, y]) => ({ year: Number(y), month: monthOf(m!) })],
  [
    new RegExp(`\\b${MONTH}\\.? (\\d{1,2})(?:st|nd|rd|th)?\\b`, 'gi'),
    ([, m, d]) => ({ month: monthOf(m!), day: Number(d) }),
  ],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH}\\b`, 'gi'),
    ([, d, m]) => ({ month: monthOf(m!), day: Number(d) }),
  ],
  [/\b(\d{1,2}):(\d{2})(?: ?([ap]\.?m\b))?/gi, ([, h, m, half]) => clockTime(h!, m, half)],
  [/\b(\d{1,2}) ?([ap]\.?m)\b/gi, ([, h, half]) => clockTime(h!, undefined, half)],
  [/\b(\d{4})-(\d{2})\b/gi, ([, y, m]) => ({ year: Number(y), month: Number(m) })],
  [/\b((?:19|20)\d{2})\b/gi, ([, y]) => ({ year: Number(y) })],
  [
    // "May" is a verb more often than a month: as a month it occurs with a day or a year, or after "in" and similar
    // words.
    /\b(?:in|by|until|since|before|after|of|every) (january|february|march|april|may|june|july|august|september|october|november|december)\b/gi,
    ([, m]) => ({ month: monthOf(m!) }),
  ],
  [new RegExp(`\\b${WEEKDAY}\\b`, 'gi'), ([, w]) => ({ weekday: WEEKDAYS.indexOf(w!.slice(0, 3).toLowerCase()) })],
];

const isFree = (taken: readonly WrittenDate[], start: number, end: number): boolean =>
  taken.every((date) => end <= date.start || start >= date.end);

/** All dates, weekdays and times of day of a text. */
export const datesIn = (text: string): readonly WrittenDate[] => {
  const found: WrittenDate[] = [];
  for (const [form, partsOf] of FORMS) {
    for (const match of text.matchAll(form)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (isFree(found, start, end)) found.push({ ...partsOf(match), start, end });
    }
  }
  return found.sort((a, b) => a.start - b.start);
};

const PARTS = ['year', 'month', 'day', 'weekday', 'time'] as const;

/** Whether two dates can be compared, and if so, whether they agree in the parts that both state. */
export const compareDates = (one: WrittenDate, other: WrittenDate): 'same' | 'different' | 'incomparable' => {
  const shared = PARTS.filter((part) => one[part] !== undefined && other[part] !== undefined);
  if (shared.length === 0) return 'incomparable';
  return shared.every((part) => one[part] === other[part]) ? 'same' : 'different';
};
