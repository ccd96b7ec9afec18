import { describe, expect, it } from '@jest/globals';
import { systemPrincipal } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { SseRelay, type PostedMessages } from './sse-relay.js';

const LIMIT = 2_000;

const posted = (text: string): PostedMessages => ({
  streamId: uuidV7(),
  caller: {
    principal: systemPrincipal(uuidV7()),
    rateLimitPerHour: null,
    correlationId: 'c-1',
    era: 'sse',
    takesLinks: false,
  },
  messages: [{ jsonrpc: '2.0', id: 1, method: 'ping', params: { text } }],
});

describe('a message for a stream of another replica', () => {
  const sent: string[] = [];
  const request = async (subject: string) => (sent.push(subject), { string: () => 'accepted' });
  const relay = new SseRelay({ info: { max_payload: LIMIT }, request } as never, uuidV7());

  it('is sent to that replica alone, and the subject does not contain the stream', async () => {
    const [replica, message] = [uuidV7(), posted('x')];
    expect(await relay.send(replica, message)).toBe('accepted');
    expect(sent).toEqual([`gw.sse.${replica}`]);
    expect(sent[0]).not.toContain(message.streamId);
  });

  it('is rejected, with the limit, if the broker would not take it', async () => {
    const before = sent.length;
    await expect(relay.send(uuidV7(), posted('x'.repeat(LIMIT)))).rejects.toMatchObject({
      code: 'input.too_large',
      details: { field: 'body', limit: LIMIT },
    });
    expect(sent).toHaveLength(before);
  });
});
