import { describe, expect, it } from '@jest/globals';
import {
  COMMAND_TIMEOUT_MS,
  commandSubject,
  CORRECTION_MODEL_TIMEOUT_MS,
  ownSubject,
  PROPOSE_TIMEOUT_MS,
  QUERY_TIMEOUT_MS,
  querySubject,
  systemPrincipal,
} from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { errors } from '@nats-io/transport-node';
import { LivingIngests } from './living-ingests.js';
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

describe('a command while replicas of ingest are known', () => {
  const setUp = (isGone: (subject: string) => boolean = () => false) => {
    const living = new LivingIngests();
    const ids = [uuidV7(), uuidV7()];
    for (const replicaId of ids) living.receive({ replicaId, isLeaving: false });
    const subjects: string[] = [];
    const request = (subject: string) => {
      subjects.push(subject);
      if (isGone(subject))
        return Promise.reject(new errors.RequestError('', { cause: new errors.NoRespondersError(subject) }));
      return Promise.resolve({ data: new TextEncoder().encode('{"ok":{}}') });
    };
    return { living, subjects, requester: new Requester({ request } as never, living) };
  };
  const shared = commandSubject('token.revoke');
  const revoke = (requester: Requester, of = context) => requester.command('token.revoke', { tokenId: uuidV7() }, of);

  it('goes to the owner of its workspace, each time', async () => {
    const { living, subjects, requester } = setUp();
    for (let i = 0; i < 3; i++) await revoke(requester);
    const owner = living.ownerOf(context.principal.workspaceId)!;
    expect(subjects).toEqual(Array.from({ length: 3 }, () => ownSubject(shared, owner)));
  });

  it('goes to any other replica at once if the owner is gone, and the next one does not try again', async () => {
    const { living, subjects, requester } = setUp((subject) => subject !== shared);
    const owner = living.ownerOf(context.principal.workspaceId)!;
    await revoke(requester);
    expect(subjects).toEqual([ownSubject(shared, owner), shared]);
    expect(living.ownerOf(context.principal.workspaceId)).not.toBe(owner);
  });

  it('is not sent twice when the owner does not answer in time: it may have been carried out', async () => {
    const { living } = setUp();
    const subjects: string[] = [];
    const request = (subject: string) => {
      subjects.push(subject);
      return Promise.reject(new errors.TimeoutError());
    };
    await expect(revoke(new Requester({ request } as never, living))).rejects.toMatchObject({
      code: 'service.timeout',
    });
    expect(subjects).toHaveLength(1);
  });

  it('goes to any replica if it appends nothing, and so does a query', async () => {
    const { subjects, requester } = setUp();
    await requester.command('chunk.propose', { chunkId: uuidV7(), instruction: 'x' }, context);
    await requester.query('ingest.get', {}, context);
    expect(subjects).toEqual([commandSubject('chunk.propose'), querySubject('ingest.get')]);
  });
});
