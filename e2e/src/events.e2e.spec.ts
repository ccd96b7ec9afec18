import { beforeAll, describe, expect, it } from '@jest/globals';
import { EventFollower } from './follow-events.js';
import { newWord } from './knowledge.js';
import { callRpc, newToken, newWorkspace, rest, storeItem } from './under-test.js';

describe('GET /events', () => {
  let admin: string;

  const ask = async (token = admin): Promise<string> => {
    const args = { text: `zEventCanary ${Math.random()}`, target_engram: `Zq ${newWord()}` };
    return (await callRpc(token, 'remember', args)).body.result.structuredContent.confirmationId;
  };

  beforeAll(async () => {
    admin = (await newWorkspace()).token;
  });

  it('reports at once which memories wait for a decision and how they were decided, without their text', async () => {
    const follower = await EventFollower.open(admin);
    const { headers, status } = follower.response;
    expect([
      status,
      headers.get('content-type'),
      headers.get('x-accel-buffering'),
      headers.get('cache-control'),
    ]).toEqual([200, 'text/event-stream; charset=utf-8', 'no', 'no-store']);
    const id = await ask();
    const asked = await follower.next(({ event, data }) => event === 'confirmation' && data.id === id);
    expect(asked.data).toEqual({ id, status: 'pending' });
    const waiting = (await rest(admin, 'GET', '/confirmations')).body.items;
    expect(waiting.map((one: any) => one.id)).toContain(id);
    const { body } = await rest(admin, 'POST', `/confirmations/${id}`, { action: 'create' });
    const decided = await follower.next(({ event, data }) => event === 'confirmation' && data.status === 'resolved');
    expect(decided.data.id).toBe(id);
    const stored = await follower.next(({ event }) => event === 'source');
    expect(stored).toMatchObject({ id: body.position, data: { itemId: body.itemId, type: 'item.stored' } });
    expect(asked.id).toBeLessThan(decided.id!);
    expect(JSON.stringify(follower.seen)).not.toMatch(/zEventCanary|Zq/);
    await follower.close();
  });

  it('reports sources and the progress of the projections', async () => {
    const follower = await EventFollower.open(admin);
    const { items } = (await follower.next(({ event }) => event === 'projection')).data;
    expect(items.map(({ name }: any) => name)).toEqual(expect.arrayContaining(['library', 'vectors']));
    for (const item of items) expect(item).toMatchObject({ lagOps: expect.any(Number), head: expect.any(Number) });
    const { id } = await storeItem(admin, { title: 't', text: 'x' });
    await rest(admin, 'PATCH', `/items/${id}`, { title: 'Renamed' });
    for (const type of ['item.stored', 'item.placed']) {
      await follower.next(({ event, data }) => event === 'source' && data.itemId === id && data.type === type);
    }
    await follower.close();
  });

  it('reports nothing of another workspace', async () => {
    const other = (await newWorkspace()).token;
    const [mine, theirs] = [await EventFollower.open(admin), await EventFollower.open(other)];
    const [id, foreign] = [await ask(admin), await ask(other)];
    await mine.next(({ data }) => data.id === id);
    await theirs.next(({ data }) => data.id === foreign);
    expect(JSON.stringify(mine.seen)).not.toContain(foreign);
    expect(JSON.stringify(theirs.seen)).not.toContain(id);
    await Promise.all([mine.close(), theirs.close()]);
  });

  it('ends when its token is revoked', async () => {
    const { body } = await rest(admin, 'POST', '/tokens', { name: 't', isUnscoped: true, scopes: ['admin'] });
    const follower = await EventFollower.open(body.token);
    expect(follower.response.status).toBe(200);
    const startedAt = performance.now();
    expect((await rest(admin, 'DELETE', `/tokens/${body.id}`)).status).toBe(204);
    await follower.ended;
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect((await EventFollower.open(body.token)).response.status).toBe(401);
  });

  it('is limited per token, and frees a place when a reader disconnects', async () => {
    const token = await newToken(admin, { scopes: ['admin'] });
    const open = await Promise.all(Array.from({ length: 5 }, () => EventFollower.open(token)));
    expect(open.map(({ response }) => response.status)).toEqual([200, 200, 200, 200, 200]);
    const refused = await rest(token, 'GET', '/events');
    expect([refused.status, refused.body.error]).toMatchObject([429, { code: 'busy', limit: 5 }]);
    await open.pop()!.close();
    let again = await EventFollower.open(token);
    // The server notices a moment later that a reader has disconnected.
    while (again.response.status === 429) again = await EventFollower.open(token);
    expect(again.response.status).toBe(200);
    await Promise.all([...open, again].map((follower) => follower.close()));
  });

  it('is for admins, and not found for any other token', async () => {
    const { status, body } = await rest(await newToken(admin, { scopes: ['read'] }), 'GET', '/events');
    expect([status, body.error.code]).toEqual([404, 'route.not_found']);
  });
});
