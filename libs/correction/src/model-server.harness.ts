import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelRequest {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: { readonly model: string; readonly messages: readonly { role: string; content: string }[] };
}

/** A model server's possible answers: the model's text, or any raw response. */
export type ModelAnswer = string | ((response: ServerResponse) => void);

const bodyOf = async (request: IncomingMessage): Promise<ModelRequest['body']> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as ModelRequest['body'];
};

/** Serves the chat APIs of Ollama and OpenAI with a given answer. */
export class FakeModelServer {
  readonly requests: ModelRequest[] = [];
  /** The answer to all further requests. */
  answer: ModelAnswer = 'nothing in particular';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeModelServer> {
    const server = createServer();
    const fake = new FakeModelServer(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void bodyOf(request).then((body) => fake.reply(request, response, body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private reply(request: IncomingMessage, response: ServerResponse, body: ModelRequest['body']): void {
    this.requests.push({ path: request.url, authorization: request.headers.authorization, body });
    const { answer } = this;
    if (typeof answer === 'function') return answer(response);
    const message = { role: 'assistant', content: answer };
    const isOllama = request.url === '/api/chat';
    const reply = isOllama
      ? { message, done: true, done_reason: 'stop' }
      : { choices: [{ index: 0, message, finish_reason: 'stop' }] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  }
}
