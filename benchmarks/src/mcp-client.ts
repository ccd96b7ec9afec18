import { Agent, request } from 'node:http';
import type { PreparedRequest } from './mcp-request.js';

/** The answer of a tool, with its size on the wire. */
export interface ToolResult {
  readonly result: Readonly<Record<string, unknown>>;
  readonly bytes: number;
}

/** A cheap client: keep-alive connections; it reads the whole answer but checks only whether the call succeeded. */
export class McpClient {
  private readonly agent: Agent;
  private readonly address: { readonly host: string; readonly port: string; readonly path: string };

  constructor(mcpUrl: string, connections: number) {
    const { hostname, port, pathname } = new URL(mcpUrl);
    this.address = { host: hostname, port, path: pathname };
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  post(prepared: PreparedRequest): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const { agent, address } = this;
      const { headers, body } = prepared;
      const sent = request({ ...address, agent, method: 'POST', headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const answer = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
          if (response.statusCode === 200 && isSuccess(answer)) resolve(answer);
          else reject(new Error(`HTTP ${response.statusCode}: ${answer.toString().slice(0, 500)}`));
        });
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The server had closed a connection that was idle while the other side was measured: it has read nothing.
        if (sent.reusedSocket && error.code === 'ECONNRESET') this.post(prepared).then(resolve, reject);
        else reject(error);
      });
      sent.end(body);
    });
  }

  async call(prepared: PreparedRequest): Promise<ToolResult> {
    const answer = await this.post(prepared);
    return { result: resultOf(answer.toString()), bytes: answer.length };
  }

  close(): void {
    this.agent.destroy();
  }
}

const isSuccess = (answer: Buffer): boolean =>
  answer.includes('"structuredContent"') && !answer.includes('"isError":true');

/** A plain JSON answer, or the only event of a stream. */
const resultOf = (text: string): ToolResult['result'] => {
  const data = /^data: *(\{.*)$/m.exec(text)?.[1] ?? text;
  return (JSON.parse(data) as { result: ToolResult['result'] }).result;
};
