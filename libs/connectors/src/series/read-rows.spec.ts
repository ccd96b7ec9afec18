import { describe, expect, it } from '@jest/globals';
import { OBSERVATION_METRIC_MAX, SERIES_FILE_COLUMNS_MAX } from '@cairn/contracts';
import { SUBSTRATES } from '@cairn/graph';
import { canonicalFile } from './canonical-file.js';
import { readSeriesFile } from './read-rows.js';

const { strava, tidal } = SUBSTRATES;

const read = (
  content: string | Uint8Array,
  name = 'activities.csv',
  table: (typeof SUBSTRATES)['strava' | 'tidal'] = strava,
) => Promise.resolve().then(() => readSeriesFile({ name, bytes: Buffer.from(content) }, table));

const HEADER = 'Activity ID,Activity Date,Activity Name,Activity Type,Distance,Moving Time,Elevation Gain,Distance';
const row = (
  more: Partial<Record<'id' | 'date' | 'name' | 'type' | 'km' | 'time' | 'gain' | 'metres', string>> = {},
): string => {
  const { id = '1', date = '2026-01-05T07:00:00Z', name = 'Morning', type = 'Run', km = '10.24' } = more;
  const { time = '3000', gain = '120.5', metres = '10240.3' } = more;
  return [id, date, name, type, km, time, gain, metres].join(',');
};

const file = (...rows: string[]): string => [HEADER, ...rows, ''].join('\n');

describe('activities.csv', () => {
  it('is read in metres, and the last of two columns with the same name counts', async () => {
    const { rows, repeats } = await read(file(row()));
    expect(rows).toEqual([
      {
        id: '1',
        at: '2026-01-05T07:00:00.000Z',
        category: 'Run',
        metrics: { distance_meters: 10_240.3, moving_time_seconds: 3_000, elevation_gain_meters: 120.5, activities: 1 },
      },
    ]);
    expect(repeats).toBe(0);
  });

  it.each([
    ['"Jan 2, 2026, 3:04:05 PM"', '2026-01-02T15:04:05.000Z'],
    ['"Jan 2, 2026, 3:04:05\u202fPM"', '2026-01-02T15:04:05.000Z'],
    ['"Jan 2, 2026, 12:00:00 AM"', '2026-01-02T00:00:00.000Z'],
    ['"Dec 31, 2026, 12:30:00 PM"', '2026-12-31T12:30:00.000Z'],
    ['2026-01-02', '2026-01-02T00:00:00.000Z'],
    ['2026-01-02 15:04:05', '2026-01-02T15:04:05.000Z'],
    ['2026-01-02 15:04:05 UTC', '2026-01-02T15:04:05.000Z'],
    ['2026-01-02T15:04:05.5+01:00', '2026-01-02T14:04:05.500Z'],
  ])('accepts the date %s', async (date, at) => {
    expect((await read(file(row({ date })))).rows[0]!.at).toBe(at);
  });

  it('accepts a byte order mark, CRLF, quotes, line breaks in cells and blank lines', async () => {
    const text = `\uFEFF${HEADER}\r\n${row({ name: '"A ""long"", run\r\nand home"', type: '"Trail, Run"' })}\r\n\r\n${row({ id: '2' })}`;
    const { rows } = await read(text);
    expect(rows.map(({ id, category }) => [id, category])).toEqual([
      ['1', 'Trail, Run'],
      ['2', 'Run'],
    ]);
  });

  it('leaves out a metric whose cell is empty, and a type that is missing', async () => {
    const [only] = (await read(file(row({ gain: '', type: '' })))).rows;
    expect(only!.metrics).not.toHaveProperty('elevation_gain_meters');
    expect(only!.category).toBeNull();
  });

  it('counts a row that appears twice as a repeat, and sorts by time', async () => {
    const late = row({ id: '9', date: '2026-02-01' });
    const { rows, repeats } = await read(file(late, row(), row()));
    expect([rows.map(({ id }) => id), repeats]).toEqual([['1', '9'], 1]);
  });

  it.each([
    [
      'a missing column',
      'Foo,Bar\n1,2\n',
      /row 1: there is no column "Activity ID" or "id" or "activity_id"; columns seen: "Foo", "Bar"/,
    ],
    ['no metric at all', 'id,start_date\n1,2026-01-01\n', /there is no column "Distance"/],
    ['an empty file', '', /the file is empty/],
    ['a header alone', file(), /the file has no rows/],
    ['NaN', file(row(), row({ id: '2', time: 'NaN' })), /row 3, column "Moving Time": must be a number/],
    ['infinity', file(row({ metres: 'Infinity' })), /row 2, column "Distance": must be a number/],
    ['a comma as the decimal point', file(row({ metres: '"10,24"' })), /row 2, column "Distance": must be a number/],
    ['a negative number', file(row({ metres: '-1' })), /row 2, column "Distance": must not be negative/],
    ['1e308', file(row({ metres: '1e308' })), new RegExp(`must be at most ${OBSERVATION_METRIC_MAX}`)],
    ['1e999', file(row({ metres: '1e999' })), /row 2, column "Distance": must be at most/],
    ['a formula for a number', file(row({ metres: '=1+1' })), /row 2, column "Distance": must be a number/],
    [
      'a control character',
      file(row({ type: 'Ru\u0007n' })),
      /column "Activity Type": must not contain control characters/,
    ],
    [
      'a type that is too long',
      file(row({ type: 'x'.repeat(121) })),
      /column "Activity Type": must have at most 120 characters/,
    ],
    ['an empty id', file(row({ id: ' ' })), /row 2, column "Activity ID": must not be empty/],
    ['an id that is too long', file(row({ id: '1'.repeat(129) })), /column "Activity ID": must have at most 128/],
    [
      'the year 9999',
      file(row({ date: '9999-12-31' })),
      /row 2, column "Activity Date": must be in the years 1970 to 2099/,
    ],
    ['the year 1', file(row({ date: '0001-01-01' })), /must be in the years 1970 to 2099/],
    ['a day that does not exist', file(row({ date: '2026-02-30' })), /column "Activity Date": must be a time such as/],
    ['an hour that does not exist', file(row({ date: '2026-02-20T25:00:00Z' })), /must be a time such as/],
    ['a month that does not exist', file(row({ date: '"Foo 2, 2026, 3:04:05 PM"' })), /must be a time such as/],
    [
      'an id with two different rows',
      file(row(), row({ metres: '1' })),
      /row 3, column "activity_id": the same activity_id stands in row 2/,
    ],
    ['a row that is too short', file('1,2'), /row 2: has 2 cells where the header has 8/],
    ['a quotation that does not end', `${file(row())}"1,2`, /row 3: a quoted cell does not end/],
    ['a quotation inside a cell', file(row({ name: 'a "b" c' })), /row 2: a quotation mark stands inside a cell/],
    ['text after a quotation', file(row({ name: '"a"b' })), /row 2: text follows the quotation mark/],
    ['a lone carriage return', file(row()).replace(/\n/g, '\r'), /row 1: a carriage return stands alone/],
    ['too many columns', `${','.repeat(SERIES_FILE_COLUMNS_MAX)}\n`, /must have at most 256 columns/],
    ['bytes that are not text', new Uint8Array([0xff, 0xfe, 0x00]), /must be UTF-8/],
  ])('is refused for %s', async (_, content, message) => {
    await expect(read(content)).rejects.toMatchObject({
      code: 'series.file_invalid',
      message: expect.stringMatching(message),
      details: { field: 'file' },
    });
  });

  it.each([
    ['before the header', (blank: string) => blank + file(row())],
    ['between the rows', (blank: string) => file(row(), blank, row({ id: '2' }))],
  ])('lets others run while blank lines %s are skipped', async (_, content) => {
    let turns = 0;
    const count = (): void => {
      turns++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await read(content('\n'.repeat(40_000)));
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(20);
  });

  it('is refused under a name of another format', async () => {
    await expect(read(file(row()), 'activities.gpx')).rejects.toThrow(/must end in .csv or .json/);
  });

  it('numbers a row after a cell with line breaks as a spreadsheet does', async () => {
    const text = file(row({ name: '"two\nlines"' }), row({ id: '2', metres: 'x' }));
    await expect(read(text)).rejects.toMatchObject({ details: { row: 4, column: 'Distance' } });
  });

  it('does not repeat the value of a cell in any message', async () => {
    await expect(read(file(row({ metres: 'secret' })))).rejects.toThrow(expect.not.stringContaining('secret'));
  });
});

describe('the JSON of an API', () => {
  const API = {
    id: 12_345_678_901,
    start_date: '2026-01-05T07:00:00Z',
    sport_type: 'Run',
    type: 'Workout',
    distance: 10_240.3,
    moving_time: 3_000,
    total_elevation_gain: 0,
    name: 'x',
  };

  it('is read by the names of the API; the more specific type counts', async () => {
    const { rows } = await read(JSON.stringify([API]), 'activities.json');
    expect(rows[0]).toEqual({
      id: '12345678901',
      at: '2026-01-05T07:00:00.000Z',
      category: 'Run',
      metrics: { distance_meters: 10_240.3, moving_time_seconds: 3_000, elevation_gain_meters: 0, activities: 1 },
    });
  });

  it.each([
    ['{"a":', /not valid JSON/],
    ['[]', /the file has no rows/],
    ['{}', /must hold one list/],
    ['null', /must hold one list/],
    ['7', /must hold one list/],
    ['[1]', /row 1: must be an object/],
    [JSON.stringify([API, { ...API, id: 1.5 }]), /row 2, column "id": must be a whole number/],
    [JSON.stringify([{ ...API, distance: '1e308' }]), /row 1, column "distance": must be at most/],
    [JSON.stringify([{ ...API, distance: [1] }]), /row 1, column "distance": must be a number/],
    [JSON.stringify([{ ...API, start_date: 7 }]), /row 1, column "start_date": must be a time/],
  ])('is refused when it is %s', async (content, message) => {
    await expect(read(content, 'a.json')).rejects.toMatchObject({
      code: 'series.file_invalid',
      message: expect.stringMatching(message),
    });
  });

  it('is refused for a row of too many columns', async () => {
    const more = Object.fromEntries(Array.from({ length: SERIES_FILE_COLUMNS_MAX }, (_, i) => [`c${i}`, 0]));
    await expect(read(JSON.stringify([API, { ...API, ...more }]), 'a.json')).rejects.toMatchObject({
      code: 'series.file_invalid',
      message: expect.stringMatching(/row 2: must have at most 256 columns/),
    });
  });
});

describe('a part of a file', () => {
  it('is read as the rows from which it was made', async () => {
    const { rows } = await read(file(row(), row({ id: '2', gain: '', type: '' })));
    expect((await read(canonicalFile(strava, rows), 'part.json')).rows).toEqual(rows);
  });
});

describe('listens of Tidal', () => {
  const LISTEN = {
    id: 'l1',
    at: '2026-01-05T07:00:00.000Z',
    category: 'Nina Simone',
    metrics: { listen_seconds: 180, plays: 1 },
  };

  it.each([
    ['id,listened_at,artist,listen_seconds\nl1,2026-01-05T07:00:00Z,Nina Simone,180\n', 'l.csv'],
    ['Listen ID,Played At,Artist Name,Seconds Played\nl1,2026-01-05 07:00:00,Nina Simone,180\n', 'l.CSV'],
    ['[{"id":"l1","listenedAt":"2026-01-05T07:00:00Z","artist":{"name":"Nina Simone"},"listenSeconds":180}]', 'l.json'],
    [
      '{"items":[{"id":"l1","timestamp":"2026-01-05T07:00:00Z","artist":"Nina Simone","duration":180}],"total":1}',
      'l.json',
    ],
  ])('are read from %s', async (content, name) => {
    expect((await read(content, name, tidal)).rows).toEqual([LISTEN]);
  });

  it('may be of artists whose names begin with a sign', async () => {
    const artists = ['+44', '=LOVE', '-', '@', '-M- (Matthieu Chedid)', '+/- (Plus/Minus)', '@!'];
    const lines = artists.map((artist, i) => `l${i},2026-01-05,${artist},1`);
    const { rows } = await read(['id,listened_at,artist,listen_seconds', ...lines].join('\n'), 'l.csv', tidal);
    expect(rows.map(({ category }) => category)).toEqual(artists);
  });
});
