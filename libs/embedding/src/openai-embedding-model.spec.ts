import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeEmbeddingModel } from './embedding-model.contract.js';
import { HashingEmbeddingModel } from './embedding-model.fake.js';
import { OpenAiEmbeddingModel } from './openai-embedding-model.js';

interface Received {
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly body: { readonly model: string; readonly input: string | readonly string[] };
}

const hashing = new HashingEmbeddingModel();
const received: Received[] = [];
/** Replaced by tests that need another answer; an undefined result means no answer at all. */
let answer: (input: string) => Promise<{ status: number; body: string } | undefined>;
let server: Server;
let url: string;

const embeddingAnswer = (values: readonly number[]) => ({
  status: 200,
  body: JSON.stringify({ data: [{ embedding: values }] }),
});
const hashed = async (input: string) => embeddingAnswer([...(await hashing.embed(input))].map((value) => value * 3));

/** An endpoint refuses several texts together if it refuses one of them, and may answer in another order. */
const answerTo = async (input: string | readonly string[]): ReturnType<typeof answer> => {
  if (typeof input === 'string') return answer(input);
  const answers = await Promise.all(input.map((text) => answer(text)));
  const other = answers.findIndex((one) => one?.status !== 200);
  if (other >= 0) return answers[other];
  const data = answers.map((one, index) => ({ index, ...JSON.parse(one!.body).data[0] }));
  return { status: 200, body: JSON.stringify({ data: data.reverse() }) };
};

const bodyOf = async (request: IncomingMessage): Promise<Received['body']> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as Received['body'];
};

beforeEach(() => {
  answer = hashed;
});

beforeAll(async () => {
  answer = hashed;
  server = createServer((request, response) => {
    void bodyOf(request).then(async (body) => {
      received.push({ url: request.url, authorization: request.headers.authorization, body });
      const result = await answerTo(body.input);
      if (result !== undefined) response.writeHead(result.status).end(result.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});

afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const open = (options: { apiKey?: string; timeoutMs?: number; url?: string } = {}) =>
  OpenAiEmbeddingModel.open({ url, model: 'some-model', ...options });

describeEmbeddingModel('OpenAiEmbeddingModel', () => open());

describe('OpenAiEmbeddingModel', () => {
  it('calls the embeddings endpoint for its model, with the key as a bearer token', async () => {
    const model = await open({ apiKey: 'key-1' });
    await model.embed('hello', 'passage');
    expect(model).toMatchObject({ id: 'some-model', dimensions: 384 });
    expect(received.at(-1)).toMatchObject({
      url: '/v1/embeddings',
      authorization: 'Bearer key-1',
      body: { model: 'some-model', input: 'hello' },
    });
  });

  it.each<[string, () => ReturnType<typeof answer>, string]>([
    ['an error status', () => Promise.resolve({ status: 500, body: 'oops' }), 'it answered with status 500'],
    ['something that is not JSON', () => Promise.resolve({ status: 200, body: '<html>' }), 'not an embeddings answer'],
    ['another shape', () => Promise.resolve({ status: 200, body: '{"data":[]}' }), 'not an embeddings answer'],
    [
      'other dimensions than before',
      () => Promise.resolve(embeddingAnswer([1, 2])),
      'it has 2 dimensions, expected 384',
    ],
    ['a zero vector', () => Promise.resolve(embeddingAnswer(new Array(384).fill(0))), 'all its values are zero'],
    ['no answer in time', () => Promise.resolve(undefined), 'it did not answer in time'],
  ])('is unavailable on %s', async (_what, other, reason) => {
    const model = await open({ timeoutMs: 300 });
    answer = other;
    await expect(model.embed('hello', 'passage')).rejects.toMatchObject({
      code: 'embedder.unavailable',
      kind: 'unavailable',
      message: expect.stringContaining(reason),
    });
  });

  it.each([400, 413, 422])(
    'reports a refused text when it gets status %d for that text and not for others',
    async (status) => {
      const model = await open();
      answer = (input) => (input === 'too long' ? Promise.resolve({ status, body: 'no' }) : hashed(input));
      await expect(model.embed('too long', 'passage')).rejects.toMatchObject({
        code: 'embedder.refused',
        kind: 'rule',
      });
      answer = () => Promise.resolve({ status, body: 'no such model' });
      await expect(model.embed('too long', 'passage')).rejects.toMatchObject({ code: 'embedder.unavailable' });
    },
  );

  it('embeds passages together, and a query alone', async () => {
    const model = await open();
    const before = received.length;
    const texts = Array.from({ length: 100 }, (_, i) => `text ${i}`);
    const vectors = await Promise.all(texts.map((text) => model.embed(text, 'passage')));
    for (const [i, text] of texts.entries()) expect(vectors[i]).toEqual(await hashing.embed(text));
    expect(received.length - before).toBeLessThan(50);
    await Promise.all(texts.slice(0, 5).map((text) => model.embed(text, 'query')));
    expect(
      received
        .slice(-5)
        .map(({ body }) => body.input)
        .sort(),
    ).toEqual(texts.slice(0, 5));
  });

  it('reports a problem from the first text without a vector until the next one with a vector', async () => {
    const model = await open();
    expect(model.problem).toBeUndefined();
    answer = () => Promise.resolve({ status: 500, body: 'oops' });
    await expect(model.embed('hello', 'passage')).rejects.toMatchObject({ code: 'embedder.unavailable' });
    expect(model.problem).toContain('it answered with status 500');
    answer = () => Promise.resolve(embeddingAnswer([1, 2]));
    await expect(model.embed('hello', 'passage')).rejects.toMatchObject({ code: 'embedder.unavailable' });
    expect(model.problem).toContain('it has 2 dimensions, expected 384');
    answer = hashed;
    await model.embed('hello', 'passage');
    expect(model.problem).toBeUndefined();
  });

  it('cannot be opened while no server listens', async () => {
    await expect(open({ url: 'http://127.0.0.1:1/v1' })).rejects.toMatchObject({
      code: 'embedder.unavailable',
      message: expect.stringContaining('it cannot be reached'),
    });
  });

  it('rejects a request in progress when it is closed', async () => {
    const model = await open();
    const asked = new Promise<void>((resolve) => {
      answer = () => {
        resolve();
        return Promise.resolve(undefined);
      };
    });
    const waiting = model.embed('hello', 'passage').catch((error: unknown) => error);
    await asked;
    await model.close();
    expect(await waiting).toMatchObject({ code: 'embedder.unavailable' });
  });
});
