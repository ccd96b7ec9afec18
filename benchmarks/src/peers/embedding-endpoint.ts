import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WordVectors } from './word-vectors.js';

const MODEL = 'bench-words-384';
/** Enough of a text to tell it from all others, wherever the product puts the title. */
const TAIL_CHARS = 80;

const tailOf = (text: string): string => text.slice(-TAIL_CHARS);

const bodyOf = async (request: IncomingMessage): Promise<{ input: string | readonly string[] }> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as { input: string | readonly string[] };
};

/**
 * An embedding endpoint that answers at once, so that no one waits for a model. It remembers the vector of every text,
 * so that all peers hold the very vectors that the product was given.
 */
export class EmbeddingEndpoint {
  private readonly given = new Map<string, Float32Array>();
  private held: Promise<void> | undefined;

  private constructor(
    private readonly server: Server,
    private readonly vectors: WordVectors,
  ) {}

  static async start(vectors: WordVectors): Promise<EmbeddingEndpoint> {
    const server = createServer();
    const endpoint = new EmbeddingEndpoint(server, vectors);
    server.on('request', (request, response) => {
      endpoint.answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** The settings of a product that embeds here. */
  get env(): Record<string, string> {
    return { EMBEDDING_URL: this.url, EMBEDDING_MODEL: MODEL };
  }

  /** The vector that was given for the text of a chunk, with or without its title in front. */
  vectorOf(body: string): Float32Array {
    const vector = this.given.get(tailOf(body));
    if (!vector) throw new Error(`the product never asked for the vector of "${tailOf(body)}"`);
    return vector;
  }

  /** As a program without a cache of its own asks for the vector of a query. */
  async embed(text: string): Promise<Float32Array> {
    const request = { method: 'POST', body: JSON.stringify({ model: MODEL, input: text }) };
    const response = await fetch(`${this.url}/embeddings`, request);
    const { data } = (await response.json()) as { data: [{ embedding: number[] }] };
    return Float32Array.from(data[0].embedding);
  }

  /** Answers nothing until the returned function is called. */
  hold(): () => void {
    let release = (): void => undefined;
    this.held = new Promise((resolve) => (release = resolve));
    return release;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { input } = await bodyOf(request);
    await this.held;
    const texts = typeof input === 'string' ? [input] : input;
    const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: [...this.give(text)] }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ object: 'list', model: MODEL, data }));
  }

  private give(text: string): Float32Array {
    const vector = this.vectors.of(text);
    this.given.set(tailOf(text), vector);
    return vector;
  }
}
