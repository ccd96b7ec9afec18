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

const context = { principal: systemPrincipal(uuidV7()), correlationId: 'c', id: uuidV7() };

describe('a request without an answer', () => {
  it.each([
    ['ingest', (requester: Requester) => requester.command('token.revoke', { tokenId: uuidV7() }, context)],
    ['ingest', (requester: Requester) => requester.query('ingest.get', {}, context)],
    ['search', (requester: Requester) => requester.query('stats.get', {}, context)],
    ['embedder', (requester: Requester) => requester.query('embedder.get', {}, context)],
  ])('names %s as the service that owns the subject', async (service, ask) => {
    const request = () => Promise.reject(new Error('no responders'));
    await expect(ask(new Requester({ request } as never))).rejects.toMatchObject({
      code: 'service.unavailable',
      message: `the ${service} service is unavailable; try again`,
      details: { service },
    });
  });
});

describe('an error that the service answers', () => {
  const answering = (error: object) =>
    new Requester({
      request: () => Promise.resolve({ data: new TextEncoder().encode(JSON.stringify({ error })) }),
    } as never);

  it('keeps its code, kind, message and details', async () => {
    const error = {
      code: 'item.not_found',
      kind: 'missing',
      message: 'there is no such item',
      details: { field: 'id' },
    };
    await expect(answering(error).query('stats.get', {}, context)).rejects.toMatchObject(error);
  });

  it('with a code that only a newer service knows keeps its kind, which decides what happens next', async () => {
    const error = { code: 'item.of_a_later_build', kind: 'rule', message: 'refused', details: { limit: 3 } };
    await expect(answering(error).query('stats.get', {}, context)).rejects.toMatchObject({
      ...error,
      code: 'internal.defect',
    });
  });
});

describe('the time limit for an answer', () => {
  const patience = async (ask: (requester: Requester) => Promise<unknown>): Promise<number> => {
    let waited = 0;
    const request = (_: string, __: string, { timeout }: { timeout: number }) => {
      waited = timeout;
      return Promise.resolve({ data: new TextEncoder().encode('{"ok":{}}') });
    };
    await ask(new Requester({ request } as never));
    return waited;
  };
  it('is slightly longer than a model may take, for a proposed correction', async () => {
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
