import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bytesOf, docxOf, pdfOf } from '@cairn/testing';
import { connect, newToken, newWorkspace, rest, underTest, type ToolClient } from './under-test.js';

const TEXT_CHARS_MAX = 500_000;
const FILE_BYTES_MAX = 20_971_520;

interface Sample {
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly title: string;
  readonly content: string;
}

/** Each contains a word that none of the others has. */
const SAMPLES: readonly Sample[] = [
  {
    fileName: 'plain.txt',
    bytes: bytesOf('The quokka lives on Rottnest.'),
    title: 'plain',
    content: 'The quokka lives on Rottnest.',
  },
  {
    fileName: 'notes.md',
    bytes: bytesOf('# Animals\n\nThe axolotl never grows up.\n'),
    title: 'notes',
    content: '# Animals\n\nThe axolotl never grows up.\n',
  },
  {
    fileName: 'table.csv',
    bytes: bytesOf('animal,home\r\nnarwhal,Arctic\r\n'),
    title: 'table',
    content: 'animal,home\nnarwhal,Arctic\n',
  },
  {
    fileName: 'data.json',
    bytes: bytesOf('{"animal":"pangolin","scales":true}'),
    title: 'data',
    content: '{\n  "animal": "pangolin",\n  "scales": true\n}',
  },
  {
    fileName: 'page.html',
    bytes: bytesOf('<title>A page</title><h2>Birds</h2><p>The <b>kakapo</b> cannot fly.</p><script>no()</script>'),
    title: 'A page',
    content: '## Birds\n\nThe kakapo cannot fly.',
  },
  {
    fileName: 'paper.pdf',
    bytes: pdfOf(['The okapi is shy.', 'It lives in forests.'], { title: 'A paper' }),
    title: 'A paper',
    content: 'The okapi is shy.\fIt lives in forests.',
  },
  {
    fileName: 'report.docx',
    bytes: docxOf([{ text: 'Fish', style: 'Heading1' }, { text: 'The blobfish is sad.' }], 'A report'),
    title: 'A report',
    content: '# Fish\n\nThe blobfish is sad.',
  },
];

const WORDS = ['quokka', 'axolotl', 'narwhal', 'pangolin', 'kakapo', 'okapi', 'blobfish'];

const upload = async (token: string, fileName: string, bytes: Uint8Array, fields: Record<string, string> = {}) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([bytes]), fileName);
  const response = await fetch(`${underTest.url}/api/v1/items`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as any };
};

describe('uploaded files', () => {
  let token: string;
  let client: ToolClient;

  beforeAll(async () => {
    token = (await newWorkspace()).token;
    client = await connect(token);
  });
  afterAll(() => client.close());

  it.each(SAMPLES.map((sample, i) => [sample.fileName, sample, WORDS[i]!] as const))(
    '[N-71] %s is found by its words and read back as text',
    async (_, { fileName, bytes, title, content }, word) => {
      const stored = await upload(token, fileName, bytes);
      expect(stored.status).toBe(201);
      const args = { query: word, mode: 'keyword' };
      const { hits } = (await client.call('search_knowledge_base', args)).structuredContent as { hits: any[] };
      expect(hits.map((hit) => hit.itemId)).toEqual([stored.body.id]);
      const item = (await client.call('get_item', { item_id: stored.body.id })).structuredContent;
      expect(item).toMatchObject({ title, content, source: { kind: 'file', name: fileName }, inKb: true });
      const { body } = await rest(token, 'GET', `/items/${stored.body.id}`);
      expect(body).toMatchObject({ kind: 'file', content });
    },
  );

  it('keep the pages of a PDF in separate chunks, even short and blank ones', async () => {
    const pages = [
      'One',
      'Two',
      '',
      'Three',
      Array<string>(45).fill('many words on a line, '.repeat(3).trim()).join('\n'),
      'Five',
      '',
    ];
    const stored = await upload(token, 'slides.pdf', pdfOf(pages, { title: 'Untitled' }));
    const { body } = await rest(token, 'GET', `/items/${stored.body.id}`);
    expect(body).toMatchObject({ title: 'slides', content: pages.join('\f') });
    const texts = (body.chunks as { text: string }[]).map(({ text }) => text);
    expect(texts.join('')).toBe(body.content);
    expect(texts.slice(0, 3)).toEqual(['One\f', 'Two\f\f', 'Three\f']);
    expect(texts.at(-1)).toBe('Five\f');
    expect(texts.length).toBeGreaterThan(5);
    for (const text of texts) expect(text).toMatch(/^[^\f]+\f*$/);
  });

  it('go into a folder, with tags, and stay outside the knowledge base on request', async () => {
    const folder = await rest(token, 'POST', '/folders', { slug: 'uploads', name: 'Uploads' });
    const fields = { folderId: folder.body.id, tags: '["one","two"]', inKb: 'false', title: 'Given' };
    const stored = await upload(token, 'a.txt', bytesOf('The wombat digs.'), fields);
    const { body } = await rest(token, 'GET', `/items/${stored.body.id}`);
    expect(body).toMatchObject({ folderId: folder.body.id, tags: ['one', 'two'], inKb: false, title: 'Given' });
    const found = await client.call('search_knowledge_base', { query: 'wombat', mode: 'keyword' });
    expect(found.structuredContent['hits']).toEqual([]);
  });

  it('are stored once under one Idempotency-Key', async () => {
    const key = crypto.randomUUID();
    const send = async () => {
      const form = new FormData();
      form.append('file', new Blob(['The dugong grazes.']), 'dugong.txt');
      const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key };
      const response = await fetch(`${underTest.url}/api/v1/items`, { method: 'POST', headers, body: form });
      return ((await response.json()) as any).id;
    };
    const [first, second] = [await send(), await send()];
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toBe(first);
  });

  it.each([
    ['Chinese', '漢'],
    ['characters of four bytes', '😀'],
    ['characters of four bytes on small pages', `${'😀'.repeat(249)}\f`],
  ])('hold the longest text of %s, and it is read back whole', async (_, unit) => {
    const text = unit.repeat(Math.floor(TEXT_CHARS_MAX / [...unit].length));
    const stored = await upload(token, 'long.txt', bytesOf(text), { inKb: 'false' });
    expect([stored.status, stored.body.error]).toEqual([201, undefined]);
    const { status, body } = await rest(token, 'GET', `/items/${stored.body.id}`);
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body.content === text).toBe(true);
  });

  it.each([
    ['another kind of file', 'a.exe', () => bytesOf('x'), 415, 'file.unsupported'],
    ['a file that is not what its name says', 'a.pdf', () => bytesOf('x'), 422, 'file.unreadable'],
    ['a longer text', 'a.txt', () => bytesOf('x'.repeat(TEXT_CHARS_MAX + 1)), 413, 'input.too_large'],
    ['a larger file', 'a.pdf', () => new Uint8Array(FILE_BYTES_MAX + 1), 413, 'input.too_large'],
  ])('are rejected: %s', async (_, fileName, bytes, status, code) => {
    const refused = await upload(token, fileName, bytes());
    expect([refused.status, refused.body.error.code]).toEqual([status, code]);
  });

  it('of a read-only token are not found', async () => {
    const reader = await newToken(token, { scopes: ['read'] });
    expect((await upload(reader, 'a.txt', bytesOf('x'))).status).toBe(404);
  });
});
