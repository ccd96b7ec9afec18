import { describe, expect, it } from '@jest/globals';
import { natsServers } from './nats-servers.js';

describe('the URL of the broker', () => {
  it('keeps servers without a user unchanged', () => {
    expect(natsServers('nats://a:4222, tls://b:4222')).toEqual({ servers: ['nats://a:4222', 'tls://b:4222'] });
  });

  it('splits off user and password', () => {
    expect(natsServers('nats://cairn:s%40cret@127.0.0.1:4222')).toEqual({
      servers: ['nats://127.0.0.1:4222'],
      user: 'cairn',
      pass: 's@cret',
    });
  });

  it('takes them from any server of a list that has them', () => {
    expect(natsServers('nats://a:4222,nats://cairn:secret@b:4222')).toEqual({
      servers: ['nats://a:4222', 'nats://b:4222'],
      user: 'cairn',
      pass: 'secret',
    });
  });
});
