import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { commandSubject, fail, querySubject, RevokeToken, systemPrincipal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { TestNats } from '@cairn/testing';
import type { Subscription } from '@nats-io/transport-node';
import { askAll } from './ask-all.js';
import { askOne } from './ask-one.js';
import type { NatsConnection } from './connection.js';
import { Requester, type RequestContext } from './requester.js';
import { respond, type ParsedRequest } from './respond.js';

const principal = systemPrincipal(systemIds.next());
const context = (more: Partial<RequestContext> = {}): RequestContext => ({
  principal,
  correlationId: 'c-1',
  id: systemIds.next(),
  ...more,
});

let broker: TestNats;
let nats: NatsConnection;
let requester: Requester;
const subscriptions: Subscription[] = [];
const failures: { code: string; correlationId?: string }[] = [];

/** Answers `token.revoke` with a function, as a Nest handler would. */
const serve = (handle: (request: ParsedRequest<{ tokenId: string }>) => Promise<unknown>): void => {
  const subscription = nats.subscribe(commandSubject(RevokeToken.type), {
    callback: (_error, message) => {
      const note = (error: { code: string }, request: { correlationId?: string }) =>
        failures.push({ code: error.code, ...request });
      void respond(message.data, RevokeToken.schema, handle, note).then((reply) => message.respond(reply));
    },
  });
  subscriptions.push(subscription);
};

beforeAll(async () => {
  broker = await TestNats.start();
  nats = await broker.connect();
  requester = new Requester(nats);
});
afterEach(() => subscriptions.splice(0).forEach((subscription) => subscription.unsubscribe()));
afterAll(() => broker.stop());

describe('a request to a service', () => {
  it('carries a command to the service and returns its answer', async () => {
    const tokenId = systemIds.next();
    serve(({ data, principal: who, correlationId }) =>
      Promise.resolve({
        tokenId: data.tokenId,
        position: who.workspaceId === principal.workspaceId && correlationId === 'c-1' ? 7 : 0,
      }),
    );
    const answer = await requester.command('token.revoke', { tokenId }, context());
    expect(answer).toEqual({ tokenId, position: 7 });
  });

  it('drops the fields that only a newer caller knows, so that they are neither refused nor stored', async () => {
    const tokenId = systemIds.next();
    const received: unknown[] = [];
    serve((request) => (received.push(request), Promise.resolve({ tokenId, position: 7 })));
    const data = { tokenId, reason: 'lost' };
    const from = { ...principal, region: 'north' };
    await requester.command('token.revoke', data, { ...context(), principal: from });
    expect(received).toEqual([expect.objectContaining({ data: { tokenId }, principal })]);
  });

  it('is answered without the fields that only a newer service knows', async () => {
    const tokenId = systemIds.next();
    serve(() => Promise.resolve({ tokenId, position: 7, internal: { shard: 3 } }));
    expect(await requester.command('token.revoke', { tokenId }, context())).toEqual({ tokenId, position: 7 });
  });

  it('for a command that only newer services know is taken by one of them', async () => {
    serve(() => Promise.resolve({}));
    const data = { itemId: systemIds.next() };
    const asking = () => requester.command('item.forget', data as never, context());
    await expect(asking()).rejects.toMatchObject({ code: 'service.unavailable', kind: 'unavailable' });
    const newer = nats.subscribe(commandSubject('item.forget'), {
      queue: 'ingest',
      callback: (_error, message) => void message.respond('{"ok":{"deleted":true}}'),
    });
    subscriptions.push(newer);
    expect(await asking()).toMatchObject({ deleted: true });
  });

  it('treats an error of a kind that only newer services know as a defect', async () => {
    const newer = nats.subscribe(commandSubject('item.forget'), {
      callback: (_error, message) =>
        void message.respond('{"error":{"code":"quota.later","kind":"postponed","message":"later","details":{}}}'),
    });
    subscriptions.push(newer);
    await expect(requester.command('item.forget', {} as never, context())).rejects.toMatchObject({
      code: 'internal.defect',
      kind: 'defect',
    });
  });

  it('returns an error unchanged, without its cause', async () => {
    serve(() => Promise.reject(fail('token.not_found', 'there is no such token', { field: 'id' }, new Error('sql'))));
    const asking = requester.command('token.revoke', { tokenId: systemIds.next() }, context());
    const error: unknown = await asking.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'token.not_found', kind: 'missing', details: { field: 'id' } });
    expect(error).not.toHaveProperty('cause');
    expect(failures.at(-1)).toEqual({ code: 'token.not_found', correlationId: 'c-1' });
  });

  it('hides the message of a foreign error', async () => {
    serve(() => Promise.reject(new TypeError('password=hunter2')));
    const asking = requester.command('token.revoke', { tokenId: systemIds.next() }, context());
    await expect(asking).rejects.toMatchObject({
      code: 'internal.defect',
      message: 'something went wrong inside Cairn',
    });
  });

  it('refuses data that does not fit, and names the field', async () => {
    serve(() => Promise.resolve({}));
    const asking = requester.command('token.revoke', { tokenId: 'x' }, context());
    await expect(asking).rejects.toMatchObject({ code: 'input.invalid', message: 'tokenId must be a UUID' });
  });

  it.each(['not json', '{}', new Uint8Array([0xff, 0xfe])])(
    'answers bytes that are not a request (%#)',
    async (bytes) => {
      serve(() => Promise.resolve({}));
      const reply = await nats.request(commandSubject('token.revoke'), bytes);
      expect(reply.json()).toMatchObject({ error: { code: 'input.malformed' } });
    },
  );

  it('reports that a service is unavailable, or too slow', async () => {
    const data = { tokenId: systemIds.next() };
    await expect(requester.command('token.revoke', data, context())).rejects.toMatchObject({
      code: 'service.unavailable',
      details: { service: 'ingest' },
    });
    nats.subscribe(querySubject('status.get'));
    await expect(requester.query('status.get', {}, context({ timeoutMs: 50 }))).rejects.toMatchObject({
      code: 'service.timeout',
      details: { service: 'search' },
    });
  });
});

describe('a question to the subscribers of a subject', () => {
  const listen = (answer?: string): void =>
    void subscriptions.push(
      nats.subscribe('q.one', { callback: (_, message) => void (answer && message.respond(answer)) }),
    );
  const question = { subject: 'q.one', message: 'hello', waitMs: 50 };

  it('returns the answer of the only one, undefined without any, and an error if it does not answer', async () => {
    expect(await askOne(nats, question)).toBeUndefined();
    listen();
    await expect(askOne(nats, question)).rejects.toMatchObject({ code: 'service.timeout' });
    listen('here');
    expect(await askOne(nats, question)).toBe('here');
  });

  it('counts the answers of all, until none follows', async () => {
    const all = { ...question, waitMs: 30_000, quietMs: 50 };
    expect(await askAll(nats, all)).toBe(0);
    for (let i = 0; i < 3; i++) listen('here');
    expect(await askAll(nats, all)).toBe(3);
  });
});
