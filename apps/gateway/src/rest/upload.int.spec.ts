import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FILE_BYTES_MAX, FORM_FIELD_BYTES_MAX, FORM_FIELDS_MAX, ITEM_TEXT_CHARS_MAX } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { docxOf, pdfOf } from '@cairn/testing';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.harness.js';

/** JSON from the wire, loosely typed for assertions. */
type Loose = ReturnType<typeof JSON.parse>;
type Field = readonly [string, string] | readonly [string, string | Uint8Array, string];

let gateway: GatewayUnderTest;
let admin: string;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  admin = gateway.services.issue({}, true);
});
afterAll(() => gateway.stop());

const formOf = (fields: readonly Field[]): FormData => {
  const form = new FormData();
  for (const [name, value, fileName] of fields) {
    if (fileName === undefined) form.append(name, value);
    else form.append(name, new Blob([value]), fileName);
  }
  return form;
};

const post = async (body: FormData | Uint8Array | string, headers: Record<string, string> = {}, token = admin) => {
  const response = await fetch(`${gateway.url}/api/v1/items`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
    body,
  });
  return { status: response.status, body: (await response.json()) as Loose };
};

const upload = (...fields: readonly Field[]) => post(formOf(fields));
const read = async (id: string): Promise<Loose> => {
  const response = await fetch(`${gateway.url}/api/v1/items/${id}`, { headers: { authorization: `Bearer ${admin}` } });
  return response.json();
};
const commands = () => gateway.services.seen.filter(({ type }) => type === 'item.store');

describe('a file', () => {
  it('becomes an item of kind file, titled with its file name', async () => {
    const stored = await upload(['file', 'Grüße\r\n', 'Übersicht 2026.final.txt']);
    expect(stored).toMatchObject({ status: 201, body: { embeddingStatus: 'pending', chunkIds: [expect.any(String)] } });
    expect(await read(stored.body.id)).toMatchObject({
      kind: 'file',
      title: 'Übersicht 2026.final',
      content: 'Grüße\n',
      source: { kind: 'file', name: 'Übersicht 2026.final.txt' },
      inKb: true,
      tags: [],
      confidence: 100,
    });
  });

  it('takes its title from the caller if given, otherwise from the document if it has one', async () => {
    const named = await upload(['file', pdfOf(['x'], { title: 'Of the PDF' }), 'a.pdf']);
    expect((await read(named.body.id)).title).toBe('Of the PDF');
    const titled = await upload(['title', 'Given'], ['file', pdfOf(['x'], { title: 'Of the PDF' }), 'a.pdf']);
    expect((await read(titled.body.id)).title).toBe('Given');
  });

  it('may come with the same fields as JSON, before or after it', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const stored = await upload(
      ['tags', 'One'],
      ['inKb', 'false'],
      ['file', docxOf([{ text: 'Word' }]), 'C:\\temp\\a.docx'],
      ['tags', 'two'],
      ['expiresAt', expiresAt],
      ['source', '{"uri":"https://example.com/a","name":"elsewhere/a.docx"}'],
    );
    expect(await read(stored.body.id)).toMatchObject({
      title: 'a',
      content: 'Word',
      inKb: false,
      tags: ['one', 'two'],
      expiresAt,
      source: { kind: 'file', uri: 'https://example.com/a', name: 'elsewhere/a.docx' },
    });
    const listed = await upload(['tags', '["three","four"]'], ['file', 'x', 'a.md']);
    expect((await read(listed.body.id)).tags).toEqual(['three', 'four']);
  });

  it('sent twice under one Idempotency-Key is the same command twice', async () => {
    const key = uuidV7();
    const form = () => formOf([['file', '{"a":1}', 'a.json']]);
    await post(form(), { 'idempotency-key': key });
    await post(form(), { 'idempotency-key': key });
    const [first, second] = commands().slice(-2);
    expect([first?.request.id, second?.request.id]).toEqual([key, key]);
    expect(first?.request.data).toEqual(second?.request.data);
  });

  it('with the longest text in the widest script arrives whole', async () => {
    const text = '😀'.repeat(ITEM_TEXT_CHARS_MAX);
    const stored = await upload(['file', text, 'a.txt']);
    expect(stored.status).toBe(201);
    expect((commands().at(-1)?.request.data as Loose).text).toBe(text);
  });

  it.each<[string, readonly Field[], number, string, string]>([
    ['of an unknown kind', [['file', 'x', 'a.exe']], 415, 'file.unsupported', 'file'],
    ['without an extension', [['file', 'x', 'blob']], 415, 'file.unsupported', 'file'],
    ['that is no PDF', [['file', 'x', 'a.pdf']], 422, 'file.unreadable', 'file'],
    ['that is empty', [['file', '', 'a.txt']], 422, 'file.unreadable', 'file'],
    ['that is missing', [['title', 'x']], 400, 'input.invalid', 'file'],
    ['that is only text', [['file', 'x']], 400, 'input.invalid', 'file'],
    ['that is one of two', [['file', 'x', 'a.txt'], ['file', 'y', 'b.txt']], 400, 'input.invalid', 'file'], // prettier-ignore
    ['in another field', [['document', 'x', 'a.txt']], 400, 'input.invalid', 'document'],
    ['with an unknown field', [['colour', 'red'], ['file', 'x', 'a.txt']], 400, 'input.invalid', 'colour'], // prettier-ignore
    ['with a text', [['text', 'x'], ['file', 'x', 'a.txt']], 400, 'input.invalid', 'text'], // prettier-ignore
    ['with two titles', [['title', 'x'], ['title', 'y'], ['file', 'x', 'a.txt']], 400, 'input.invalid', 'title'], // prettier-ignore
    ['with an empty title', [['title', ''], ['file', 'x', 'a.txt']], 400, 'input.invalid', 'title'], // prettier-ignore
    ['with inKb yes', [['inKb', 'yes'], ['file', 'x', 'a.txt']], 400, 'input.invalid', 'inKb'], // prettier-ignore
    ['with a bad tag', [['tags', 'a b'], ['file', 'x', 'a.txt']], 400, 'input.invalid', 'tags[0]'], // prettier-ignore
    ['with bad JSON', [['source', '{'], ['file', 'x', 'a.txt']], 400, 'input.invalid', 'source'], // prettier-ignore
    ['with a bad source', [['source', '{"kind":"rumour"}'], ['file', 'x', 'a.txt']], 400, 'input.invalid', 'source.kind'], // prettier-ignore
    ['with an expiry in the past', [['expiresAt', '2020-01-01T00:00:00Z'], ['file', 'x', 'a.txt']], 400, 'knowledge.expires_in_past', 'expiresAt'], // prettier-ignore
    ['with a field too long', [['title', 'x'.repeat(FORM_FIELD_BYTES_MAX + 1)], ['file', 'x', 'a.txt']], 400, 'input.invalid', 'title'], // prettier-ignore
    ['with too many fields', [...Array<Field>(FORM_FIELDS_MAX + 1).fill(['tags', 'a']), ['file', 'x', 'a.txt']], 400, 'input.invalid', 'form'], // prettier-ignore
    ['with a name too long', [['file', 'x', `${'x'.repeat(500)}.txt`]], 400, 'input.invalid', 'file'],
    ['of too much text', [['file', 'x'.repeat(ITEM_TEXT_CHARS_MAX + 1), 'a.txt']], 413, 'input.too_large', 'file'],
    ['of too many bytes', [['file', new Uint8Array(FILE_BYTES_MAX + 1), 'a.pdf']], 413, 'input.too_large', 'file'],
    ['of far too many bytes', [['file', new Uint8Array(2 * FILE_BYTES_MAX), 'a.pdf']], 413, 'input.too_large', 'file'],
  ])('%s is rejected, naming the field', async (_, fields, status, code, field) => {
    const before = commands().length;
    const refused = await upload(...fields);
    expect(refused).toMatchObject({ status, body: { error: { code, field, correlationId: expect.any(String) } } });
    if (status === 413) expect(refused.body.error.message).toContain(String(refused.body.error.limit));
    expect(commands()).toHaveLength(before);
  });

  it('is rejected for the length of its name, not of its content', async () => {
    const { body } = await upload(['file', 'x', `${'x'.repeat(804)}.txt`]);
    expect(body.error).toMatchObject({
      message: 'the name of the file must have at most 500 characters, has 808',
      field: 'file',
      limit: 500,
    });
  });

  it('of too many bytes is rejected while it is read if no length was declared', async () => {
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
    const chunks = [Buffer.from(head), ...Array<Buffer>(21).fill(Buffer.alloc(1_048_576)), Buffer.from('\r\n--b--')];
    const response = await fetch(`${gateway.url}/api/v1/items`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'multipart/form-data; boundary=b' },
      body: Readable.toWeb(Readable.from(chunks)),
      duplex: 'half',
    } as never);
    expect(response.status).toBe(413);
    expect((await response.json()) as Loose).toMatchObject({ error: { field: 'file', limit: FILE_BYTES_MAX } });
  });

  it.each([
    ['cut off', '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello', 'b'],
    ['without a boundary', 'x', ''],
    ['that is none', 'x', 'b'],
  ])('in a form %s is rejected', async (_, body, boundary) => {
    const type = `multipart/form-data${boundary && `; boundary=${boundary}`}`;
    const refused = await post(body, { 'content-type': type });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'input.malformed']);
  });

  const NAMED_FILE = 'form-data; name="file"; filename="a.txt"';

  it.each<[string, readonly (readonly [string, string])[], string, string]>([
    ['a part without a name', [['form-data', 'x'], [NAMED_FILE, 'x']], 'form', 'a name'], // prettier-ignore
    ['a file without a name of its field', [['form-data; filename="a.txt"', 'x']], 'form', 'a name'],
    ['a title that is no UTF-8', [['form-data; name="title"', 'a\xff'], [NAMED_FILE, 'x']], 'title', 'UTF-8'], // prettier-ignore
    ['a title in a charset that is none', [['form-data; name="title"\r\ncontent-type: text/plain; charset=x', 'a'], [NAMED_FILE, 'x']], 'title', 'UTF-8'], // prettier-ignore
    ['a file name that is no UTF-8', [['form-data; name="file"; filename="\xff.txt"', 'x']], 'file', 'UTF-8'],
    ['a source with a NUL', [['form-data; name="source"', '{"name":"\\u0000"}'], [NAMED_FILE, 'x']], 'source.name', 'NUL'], // prettier-ignore
    ['a source nested too deep', [['form-data; name="source"', `${'['.repeat(40)}${']'.repeat(40)}`], [NAMED_FILE, 'x']], 'source', '32'], // prettier-ignore
  ])(
    'in a form with %s is rejected, naming the field, and the gateway keeps running',
    async (_, parts, field, message) => {
      const before = commands().length;
      const sent = parts.map(
        ([disposition, value]) => `--b\r\ncontent-disposition: ${disposition}\r\n\r\n${value}\r\n`,
      );
      const body = Buffer.from(`${sent.join('')}--b--\r\n`, 'latin1');
      const refused = await post(body, { 'content-type': 'multipart/form-data; boundary=b' });
      expect(refused).toMatchObject({ status: 400, body: { error: { code: 'input.invalid' } } });
      expect(refused.body.error.field.startsWith(field)).toBe(true);
      expect(refused.body.error.message).toContain(message);
      expect(commands()).toHaveLength(before);
    },
  );

  it('from a caller without the write scope is rejected before it is sent', async () => {
    const token = gateway.services.issue({ scopes: ['read'] });
    const { hostname, port } = new URL(gateway.url);
    const answerTo = (authorization: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(Number(port), hostname, () => {
          const type = 'content-type: multipart/form-data; boundary=b\r\ncontent-length: 1000000';
          socket.write(`POST /api/v1/items HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${authorization}${type}\r\n\r\n`);
        });
        socket.once('data', (data) => {
          socket.destroy();
          resolve(data.toString().split(' ')[1]!);
        });
        socket.once('error', reject);
      });
    expect(await answerTo('')).toBe('401');
    expect(await answerTo(`authorization: Bearer ${token}\r\n`)).toBe('404');
  });

  it('is described in the OpenAPI document beside JSON', async () => {
    const document = (await (await fetch(`${gateway.url}/api/v1/openapi.json`)).json()) as Loose;
    const { content } = document.paths['/api/v1/items'].post.requestBody;
    expect(Object.keys(content)).toEqual(['application/json', 'multipart/form-data']);
    expect(content['multipart/form-data'].schema).toMatchObject({
      required: ['file'],
      additionalProperties: false,
      properties: { file: { format: 'binary' }, title: {}, tags: { type: 'array' }, source: { type: 'object' } },
    });
  });
});
