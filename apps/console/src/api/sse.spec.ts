import { describe, expect, it } from '@jest/globals';
import { backoffMs, SseParser } from './sse.js';

describe('server-sent events', () => {
  it('are the same wherever the text was split', () => {
    const text = ': keepalive\n\nevent: confirmation\nid: 7\ndata: {"id":"a"}\n\ndata: one\ndata: two\n\n';
    const whole = new SseParser().push(text);
    const parser = new SseParser();
    const byLetter = [...text].flatMap((letter) => parser.push(letter));
    expect(whole).toEqual([
      { name: 'confirmation', data: '{"id":"a"}' },
      { name: 'message', data: 'one\ntwo' },
    ]);
    expect(byLetter).toEqual(whole);
  });

  it('may have Windows line endings', () => {
    expect(new SseParser().push('event: x\r\ndata: y\r\n\r\n')).toEqual([{ name: 'x', data: 'y' }]);
  });

  it('are held back until they are complete', () => {
    expect(new SseParser().push('event: x\ndata: y\n')).toEqual([]);
  });

  it('are requested again after a growing, bounded pause', () => {
    expect([0, 1, 2, 20].map(backoffMs)).toEqual([500, 1_000, 2_000, 15_000]);
  });
});
