import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Words that two texts share make their vectors similar. */
export const wordVector = (text: string, dimensions: number): number[] => {
  const vector = new Array<number>(dimensions).fill(0.01);
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
    vector[createHash('sha256').update(word).digest().readUInt32LE() % dimensions]! += 1;
  }
  return vector;
};

interface Asked {
  readonly model: string;
  readonly input: string | readonly string[];
}

export interface EmbeddingEndpoint {
  readonly url: string;
  stop(): void;
}

/** An embeddings endpoint in the process of the test, which decides what it answers and when. */
export const startEmbeddingEndpoint = async (
  vectorOf: (model: string, text: string) => number[] | Promise<number[]>,
): Promise<EmbeddingEndpoint> => {
  const server = createServer((message, response) => {
    const parts: Buffer[] = [];
    message.on('data', (part: Buffer) => parts.push(part));
    message.on('end', () => {
      const { model, input } = JSON.parse(Buffer.concat(parts).toString()) as Asked;
      void Promise.all([input].flat().map(async (text) => vectorOf(model, text))).then((vectors) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ data: vectors.map((embedding, index) => ({ index, embedding })) }));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
