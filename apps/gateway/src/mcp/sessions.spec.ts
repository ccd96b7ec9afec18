import { afterEach, describe, expect, it } from '@jest/globals';
import type { Principal } from '@cairn/contracts';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { LocalSessions, SESSION_IDLE_MS, SESSIONS_PER_TOKEN_MAX, type Session } from './sessions.js';

let now = 0;
const sessions = new LocalSessions(() => new Server({ name: 't', version: '1' }, { capabilities: {} }), {
  now: () => now,
});
afterEach(() => sessions.closeAll());

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const open = async (tokenId: string): Promise<{ id: string; session: Session }> => {
  const session = await sessions.open({ tokenId } as Principal);
  const request = new Request('http://localhost/mcp', { method: 'POST', headers });
  await (await session.transport.handleRequest(request, { parsedBody: INITIALIZE })).text();
  return { id: session.transport.sessionId ?? '', session };
};

describe('LocalSessions', () => {
  it('finds a session for its own token only', async () => {
    const { id, session } = await open('a');
    expect(sessions.find(id, 'a')).toBe(session);
    expect(sessions.find(id, 'b')).toBeUndefined();
    expect(sessions.find('other', 'a')).toBeUndefined();
  });

  it('ends every session of a token that is no longer valid, and none of another', async () => {
    const [first, second, foreign] = [await open('a'), await open('a'), await open('b')];
    sessions.endOf('a');
    expect([sessions.find(first.id, 'a'), sessions.find(second.id, 'a')]).toEqual([undefined, undefined]);
    expect(sessions.find(foreign.id, 'b')).toBe(foreign.session);
  });

  it('ends a session that is idle for a while, unless it serves a stream', async () => {
    const idle = await open('a');
    const streaming = await open('a');
    const release = streaming.session.holdOpen();
    now += SESSION_IDLE_MS + 1;
    sessions.sweep();
    expect(sessions.find(idle.id, 'a')).toBeUndefined();
    expect(sessions.find(streaming.id, 'a')).toBe(streaming.session);
    release();
    now += SESSION_IDLE_MS + 1;
    sessions.sweep();
    expect(sessions.find(streaming.id, 'a')).toBeUndefined();
  });

  it('limits the sessions of a token: a new one replaces the least recently used one', async () => {
    const ids: string[] = [];
    for (let i = 0; i < SESSIONS_PER_TOKEN_MAX; i++) {
      now++;
      ids.push((await open('a')).id);
    }
    now++;
    expect(sessions.find(ids[0]!, 'a')).toBeDefined();
    await open('a');
    expect(sessions.size).toBe(SESSIONS_PER_TOKEN_MAX);
    expect(sessions.find(ids[0]!, 'a')).toBeDefined();
    expect(sessions.find(ids[1]!, 'a')).toBeUndefined();
  });
});
