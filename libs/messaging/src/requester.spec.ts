import { describe, expect, it } from '@jest/globals';
import {
  COMMAND_TIMEOUT_MS,
  CORRECTION_MODEL_TIMEOUT_MS,
  PROPOSE_TIMEOUT_MS,
  QUERY_TIMEOUT_MS,
  systemPrincipal,
} from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { Requester } from './requester.js';

describe('how long an answer is waited for', () => {
  const patience = async (ask: (requester: Requester) => Promise<unknown>): Promise<number> => {
    let waited = 0;
    const request = (_: string, __: string, { timeout }: { timeout: number }) => {
      waited = timeout;
      return Promise.resolve({ data: new TextEncoder().encode('{"ok":{}}') });
    };
    await ask(new Requester({ request } as never));
    return waited;
  };
  const context = { principal: systemPrincipal(uuidV7()), correlationId: 'c', id: uuidV7() };

  it('is as long as a model may think, and a bit, for a proposed correction', async () => {
    const data = { chunkId: uuidV7(), instruction: 'x' };
    expect(await patience((requester) => requester.command('chunk.propose', data, context))).toBe(PROPOSE_TIMEOUT_MS);
    expect(PROPOSE_TIMEOUT_MS).toBeGreaterThan(CORRECTION_MODEL_TIMEOUT_MS);
  });

  it('is shorter for everything else', async () => {
    const correct = (requester: Requester) => requester.command('chunk.correct', { correctionId: uuidV7() }, context);
    expect(await patience(correct)).toBe(COMMAND_TIMEOUT_MS);
    expect(await patience((requester) => requester.query('status.get', {}, context))).toBe(QUERY_TIMEOUT_MS);
  });
});
