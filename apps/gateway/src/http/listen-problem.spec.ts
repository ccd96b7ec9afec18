import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '@cairn/kernel';
import { listenProblem } from './listen-problem.js';

const messageOf = (host: string, port: number, code: string): string => {
  const problem = listenProblem(host, port, Object.assign(new Error(code), { code }));
  expect(problem).toBeInstanceOf(ConfigError);
  return (problem as ConfigError).message;
};

/** The error of listening on this host on this machine. */
const listen = async (host: string): Promise<unknown> => {
  const server = createServer();
  return once(server.listen(0, host), 'listening').then(
    () => server.close(),
    (thrown: unknown) => thrown,
  );
};

describe('an address that cannot be listened on', () => {
  it.each([
    ['EADDRINUSE', 'another process listens on that port', 'Set CAIRN_PORT'],
    ['EADDRNOTAVAIL', 'this machine does not have the address 192.0.2.1', 'Set CAIRN_HOST'],
    ['ENOTFOUND', 'the name 192.0.2.1 does not resolve', 'Set CAIRN_HOST'],
    ['EAI_AGAIN', 'the name server does not answer', 'Set CAIRN_HOST'],
    ['EINVAL', 'is not an address to listen on', 'Set CAIRN_HOST'],
    ['EAFNOSUPPORT', 'does not support addresses of that family', 'Set CAIRN_HOST'],
    ['EACCES', 'this user may not listen there', 'Set CAIRN_PORT'],
  ])('is reported for %s with the reason and the one variable to set', (code, reason, nextStep) => {
    const message = messageOf('192.0.2.1', 7480, code);
    expect(message).toContain(`Cairn cannot listen on 192.0.2.1:7480: `);
    expect(message).toContain(reason);
    expect(message.match(/CAIRN_\w+/g)).toEqual([nextStep.slice('Set '.length)]);
  });

  it('names the permission that a low port needs', () => {
    expect(messageOf('127.0.0.1', 80, 'EACCES')).toContain('ports below 1024 need extra rights');
  });

  it('encloses an IPv6 address in brackets', () => {
    expect(messageOf('2001:db8::1', 7480, 'EADDRNOTAVAIL')).toContain('on [2001:db8::1]:7480:');
  });

  it.each([
    ['192.0.2.1', /does not have the address/],
    ['no-such-host.invalid', /does not resolve|cannot be resolved/],
  ])('is recognised in what Node throws for %s', async (host, reason) => {
    expect((listenProblem(host, 0, await listen(host)) as Error).message).toMatch(reason);
  });

  it('leaves any other error as it is', () => {
    const other = new Error('out of memory');
    expect(listenProblem('127.0.0.1', 1, other)).toBe(other);
  });
});
