import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { embedded, newWorkspace, rest, storeItem } from './under-test.js';

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Request = readonly [method: Method, path: string, body?: unknown];

describe('one Idempotency-Key for two requests', () => {
  let admin: string;

  beforeAll(async () => {
    admin = (await newWorkspace()).token;
  });

  const send = ([method, path, body]: Request, key: string) =>
    rest(admin, method, path, body, { 'idempotency-key': key });

  const folder = async () => (await rest(admin, 'POST', '/folders', { slug: slug(), name: 'Folder' })).body.id;
  const token = async () => (await rest(admin, 'POST', '/tokens', { name: 'Token', scopes: ['read'] })).body.id;
  const item = () => storeItem(admin, { title: 'Item', text: 'Some text' });
  const slug = () => `f-${randomUUID().slice(0, 8)}`;

  /** The graph follows the log: what was stated is in it a moment later. */
  const state = async (subject: string, object: string): Promise<void> => {
    const edges = [{ subject, predicate: 'knows', object }];
    const { status } = await rest(admin, 'POST', '/edges', { text: `${subject} knows ${object}.`, edges });
    expect(status).toBe(201);
  };
  const found = async (path: string, isMeant: (entry: any) => boolean): Promise<string> => {
    for (;;) {
      const entry = (await rest(admin, 'GET', path)).body.items.find(isMeant);
      if (entry) return entry.id;
    }
  };
  const entity = (name: string) => found(`/entities?query=${encodeURIComponent(name)}`, (entry) => entry.name === name);
  const suggestion = (name: string) => found('/review?kind=merge', ({ subject }) => subject === name);

  const REQUESTS: Record<string, () => Promise<readonly [Request, Request]>> = {
    'DELETE /tokens': async () => [
      ['DELETE', `/tokens/${await token()}`],
      ['DELETE', `/tokens/${await token()}`],
    ],
    'DELETE /items': async () => [
      ['DELETE', `/items/${(await item()).id}`],
      ['DELETE', `/items/${(await item()).id}`],
    ],
    'DELETE /chunks': async () => [
      ['DELETE', `/chunks/${(await item()).chunkIds[0]}`],
      ['DELETE', `/chunks/${(await item()).chunkIds[0]}`],
    ],
    'PATCH of one folder': async () => {
      const path = `/folders/${await folder()}`;
      return [
        ['PATCH', path, { name: 'Renamed' }],
        ['PATCH', path, { tier: 'sensitive' }],
      ];
    },
    'PATCH of two folders': async () => [
      ['PATCH', `/folders/${await folder()}`, { name: 'Renamed' }],
      ['PATCH', `/folders/${await folder()}`, { name: 'Renamed' }],
    ],
    'PATCH of one item': async () => {
      const { id } = await item();
      // The embedding status is part of the answer, and must not change between the first request and its repeat.
      await embedded(admin, id);
      const path = `/items/${id}`;
      return [
        ['PATCH', path, { title: 'One' }],
        ['PATCH', path, { title: 'Two' }],
      ];
    },
    'PUT /quotas': () =>
      Promise.resolve([
        ['PUT', '/quotas/knowledge_stored', { limit: 1_000 }],
        ['PUT', '/quotas/knowledge_stored', { limit: 2_000 }],
      ]),
    'POST /folders': () =>
      Promise.resolve([
        ['POST', '/folders', { slug: slug(), name: 'One' }],
        ['POST', '/folders', { slug: slug(), name: 'Two' }],
      ]),
    'POST /items': () =>
      Promise.resolve([
        ['POST', '/items', { title: 'One', text: 'One' }],
        ['POST', '/items', { title: 'One', text: 'Two' }],
      ]),
    'POST /entities/merges': async () => {
      await state('Ida Marsh', 'Finn Hale');
      await state('Edda Marsh', 'Cora Reed');
      const [aliasId, canonicalId, other] = [
        await entity('Ida Marsh'),
        await entity('Edda Marsh'),
        await entity('Cora Reed'),
      ];
      return [
        ['POST', '/entities/merges', { aliasId, canonicalId }],
        ['POST', '/entities/merges', { aliasId, canonicalId: other }],
      ];
    },
    'POST /edges/{id}/review of a suggested merge': async () => {
      await state('Orla', 'Tom Frost');
      await state('Orla Quinn', 'Tom Frost');
      const path = `/edges/${await suggestion('Orla')}/review`;
      return [
        ['POST', path, { verdict: 'rejected' }],
        ['POST', path, { verdict: 'confirmed' }],
      ];
    },
    'two routes': async () => [
      ['DELETE', `/tokens/${await token()}`],
      ['POST', '/folders', { slug: slug(), name: 'Two' }],
    ],
  };

  it.each(Object.keys(REQUESTS))(
    'repeats the answer of the first, and rejects the second, which is executed under its own key: %s',
    async (name) => {
      const [first, second] = await REQUESTS[name]!();
      const key = randomUUID();
      const answer = await send(first, key);
      expect(answer.status).toBeLessThan(300);
      expect(await send(first, key)).toEqual(answer);
      const refused = await send(second, key);
      expect([refused.status, refused.body.error]).toMatchObject([
        409,
        { code: 'idempotency.key_reused', field: 'Idempotency-Key' },
      ]);
      expect((await send(second, randomUUID())).status).toBeLessThan(300);
    },
  );

  it('answers a merge and a verdict again after another text has named the alias', async () => {
    await state('Ursa', 'Ursa Major');
    const [aliasId, canonicalId] = [await entity('Ursa'), await entity('Ursa Major')];
    const review: Request = ['POST', `/edges/${await suggestion('Ursa')}/review`, { verdict: 'rejected' }];
    const merge: Request = ['POST', '/entities/merges', { aliasId, canonicalId }];
    for (const [i, request] of [review, merge].entries()) {
      const key = randomUUID();
      const answer = await send(request, key);
      await state('Ursa', 'Nova Lind');
      await found('/entities?query=ursa', ({ mentions }) => mentions >= 2 + i);
      expect(await send(request, key)).toEqual(answer);
    }
  });

  it('issues one token, and answers the second request as a repeat', async () => {
    const key = randomUUID();
    const before = (await rest(admin, 'GET', '/tokens')).body.items.length;
    await send(['POST', '/tokens', { name: 'One', scopes: ['read'] }], key);
    for (const name of ['One', 'Two']) {
      const { status, body } = await send(['POST', '/tokens', { name, scopes: ['read'] }], key);
      expect([status, body.error.code]).toEqual([409, 'idempotency.key_reused']);
    }
    expect((await rest(admin, 'GET', '/tokens')).body.items).toHaveLength(before + 1);
  });
});
