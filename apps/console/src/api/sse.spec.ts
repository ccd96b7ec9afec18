import { describe, expect, it } from '@jest/globals';
import { backoffMs, SseParser } from './sse.js';

describe('server-sent events', () => {
  it('are the same however the text was cut', () => {
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

  it('may end their lines as on Windows', () => {
    expect(new SseParser().push('event: x\r\ndata: y\r\n\r\n')).toEqual([{ name: 'x', data: 'y' }]);
  });

  it('are held back until they are whole', () => {
    expect(new SseParser().push('event: x\ndata: y\n')).toEqual([]);
  });

  it('are asked for again after a growing, bounded pause', () => {
    expect([0, 1, 2, 20].map(backoffMs)).toEqual([500, 1_000, 2_000, 15_000]);
  });
});
