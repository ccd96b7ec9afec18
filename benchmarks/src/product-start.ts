import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppProcess, freePort } from '@cairn/local-servers';
import { McpClient } from './mcp-client.js';
import { toolCall } from './mcp-request.js';

const POLL_MS = 5;
const TIMEOUT_MS = 120_000;
const SEARCH = { query: 'when is the release', mode: 'hybrid' };

export interface Started {
  readonly firstMs: number;
  /** Until the model is loaded and a query is also answered by meaning. */
  readonly fullMs: number;
}

type Answer = { readonly degraded: boolean } | undefined;

const ask = async (client: McpClient, token: string | undefined): Promise<Answer> => {
  try {
    const { result } = await client.call(toolCall('stateless', 'search_knowledge_base', SEARCH, token));
    return result['structuredContent'] as Answer;
  } catch {
    return undefined;
  }
};

/** Asks until a search is answered, and answered in full. */
export const pollAnswers = async (
  port: number,
  tokenOf: () => string | undefined,
  startMs: number,
): Promise<Started> => {
  const client = new McpClient(`http://127.0.0.1:${port}/mcp`, 1);
  let firstMs: number | undefined;
  try {
    for (;;) {
      const answer = await ask(client, tokenOf());
      const elapsedMs = performance.now() - startMs;
      if (answer) firstMs ??= elapsedMs;
      if (answer?.degraded === false) return { firstMs: firstMs!, fullMs: elapsedMs };
      if (elapsedMs > TIMEOUT_MS) throw new Error('no complete answer in time');
      await delay(POLL_MS);
    }
  } finally {
    client.close();
  }
};

/** Starts the product on a home, measures, and stops it. */
export const startProduct = async (home: string, env: Record<string, string> = {}): Promise<Started> => {
  const port = await freePort();
  const tokenFile = join(home, 'admin-token');
  const tokenOf = (): string | undefined =>
    existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8').trim() : undefined;
  const startMs = performance.now();
  const settings = { CAIRN_HOME: home, CAIRN_PORT: String(port), LOG_LEVEL: 'warn', ...env };
  const app = AppProcess.start('standalone', settings);
  try {
    return await pollAnswers(port, tokenOf, startMs);
  } finally {
    await app.end('SIGTERM');
  }
};
