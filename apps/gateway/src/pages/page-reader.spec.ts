import { describe, expect, it } from '@jest/globals';
import { fail, FETCHES_IN_FLIGHT_PER_WORKSPACE, ITEM_TEXT_CHARS_MAX, systemPrincipal } from '@cairn/contracts';
import { DocumentParser } from '@cairn/documents';
import { uuidV7, type AppError } from '@cairn/kernel';
import { READABLE_MEDIA_TYPES, type FetchedFile } from '@cairn/web-fetch';
import { PageReader, refuseToFetch, type FetchPage } from './page-reader.js';

const URL_GIVEN = 'https://docs.example.com/page';
const caller = () => ({ principal: systemPrincipal(uuidV7()) });

const fetching =
  (body: string | Buffer, mediaType = 'text/plain', charset?: string): FetchPage =>
  (url) =>
    Promise.resolve({ url, mediaType, bytes: Buffer.from(body), ...(charset ? { charset } : {}) });

/** Plain text needs no child process, so most tests leave none behind. */
const reading = (fetchPage: FetchPage) => new PageReader(fetchPage, new DocumentParser()).as(caller()).read(URL_GIVEN);

const refusal = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => Promise.reject(new Error('it was not refused')),
    (thrown: AppError) => thrown,
  );

describe('a page', () => {
  it('is read as text, with its title', async () => {
    const parser = new DocumentParser();
    const html =
      '<html><head><title>Tide\n tables</title></head><body><h1>Tides</h1><p>High at nine.</p></body></html>';
    const page = await new PageReader(fetching(html, 'text/html'), parser).as(caller()).read(URL_GIVEN);
    await parser.close();
    expect(page).toMatchObject({ url: URL_GIVEN, title: 'Tide tables' });
    expect(page.text).toContain('High at nine.');
    expect(page.text).not.toContain('<');
  });

  it('is decoded with the charset that its site declares', async () => {
    const page = await reading(fetching(Buffer.from('Größe', 'latin1'), 'text/plain', 'iso-8859-1'));
    expect(page.text).toBe('Größe');
  });

  it('keeps its quotes when its site declares an old name of windows-1252', async () => {
    const bytes = Buffer.from('\x93Gr\xfc\xdfe\x94', 'latin1');
    expect((await reading(fetching(bytes, 'text/plain', 'ISO-8859-1'))).text).toBe('“Grüße”');
  });

  it('is read as it is when its site declares an unknown charset', async () => {
    expect((await reading(fetching('plain words', 'text/plain', 'no-such-charset'))).text).toBe('plain words');
  });

  it('of every supported type is passed to a parser of that type', async () => {
    const seen: string[] = [];
    const parse = ({ fileName }: { fileName: string }) => {
      seen.push(fileName);
      return Promise.resolve({ format: 'txt' as const, text: 'x' });
    };
    for (const mediaType of READABLE_MEDIA_TYPES) {
      await new PageReader(fetching('x', mediaType), { parse }).as(caller()).read(URL_GIVEN);
    }
    expect(seen).toEqual(['html', 'txt', 'md', 'csv', 'json', 'pdf', 'docx'].map((format) => `page.${format}`));
  });

  it.each([
    ['is empty', '', 'text/plain'],
    ['is blank', ' \n ', 'text/plain'],
    ['is not text', Buffer.from([0xff, 0xff, 0xff]), 'text/plain'],
    ['is labelled as PDF but is not PDF', 'remote words', 'application/pdf'],
    ['is labelled as Word but is not Word', 'remote words', READABLE_MEDIA_TYPES[6]!],
  ])('that %s is not supported, and the error names the url', async (_, body, mediaType) => {
    const error = await refusal(reading(fetching(body, mediaType)));
    expect(error).toMatchObject({ code: 'url.unsupported', details: { field: 'url' } });
    expect(error.message).not.toMatch(/file|remote/);
  });

  it('with more text than an item may have is too large', async () => {
    const error = await refusal(reading(fetching('x'.repeat(ITEM_TEXT_CHARS_MAX + 1))));
    expect(error).toMatchObject({ code: 'url.too_large', details: { field: 'url', limit: ITEM_TEXT_CHARS_MAX } });
  });

  it('that cannot be fetched fails with the error of the fetch', async () => {
    const gone = () => Promise.reject(fail('url.no_page', 'gone', { field: 'url' }));
    expect((await refusal(reading(gone))).code).toBe('url.no_page');
  });

  it('is rejected if fetching is turned off, with a hint what to do instead', async () => {
    const error = await refusal(reading(refuseToFetch));
    expect(error.code).toBe('url.refused');
    expect(error.message).toContain('kind text');
  });

  it(`is one of ${FETCHES_IN_FLIGHT_PER_WORKSPACE} at a time in its workspace, and other workspaces have their own limit`, async () => {
    let arrive = (_: FetchedFile): void => undefined;
    const arrived = new Promise<FetchedFile>((resolve) => (arrive = resolve));
    const reader = new PageReader(() => arrived, new DocumentParser());
    const [busy, other] = [caller(), caller()];
    const running = Array.from({ length: FETCHES_IN_FLIGHT_PER_WORKSPACE }, () => reader.as(busy).read(URL_GIVEN));
    expect(await refusal(reader.as(busy).read(URL_GIVEN))).toMatchObject({ code: 'busy', kind: 'unavailable' });
    running.push(reader.as(other).read(URL_GIVEN));
    arrive({ url: URL_GIVEN, mediaType: 'text/plain', bytes: Buffer.from('arrived') });
    expect((await Promise.all(running)).map(({ text }) => text)).toEqual(Array(running.length).fill('arrived'));
  });
});
