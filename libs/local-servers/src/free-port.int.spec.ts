import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { freePort, onPort } from './free-port.js';

describe('freePort', () => {
  it('chooses ports that no outgoing connection and no server without a fixed port is given', async () => {
    const ports = await Promise.all(Array.from({ length: 200 }, () => freePort()));
    expect(Math.max(...ports)).toBeLessThan(32_768);
  });

  it('chooses each port once, because its server may start later', async () => {
    const ports = await Promise.all(Array.from({ length: 500 }, () => freePort()));
    expect(new Set(ports).size).toBe(500);
  });
});

describe('onPort', () => {
  it('tries another port when the first is taken', async () => {
    const tried: number[] = [];
    const port = await onPort(0, (candidate) => {
      tried.push(candidate);
      return tried.length === 1 ? Promise.reject(new Error('listen EADDRINUSE')) : Promise.resolve(candidate);
    });
    expect(tried).toHaveLength(2);
    expect(port).toBe(tried[1]);
  });

  it('reports a taken port when the caller named it', async () => {
    const taken = createServer();
    await once(taken.listen(0, '127.0.0.1'), 'listening');
    const { port } = taken.address() as { port: number };
    const listen = (wanted: number) => once(createServer().listen(wanted, '127.0.0.1'), 'listening');
    await expect(onPort(port, listen)).rejects.toThrow('EADDRINUSE');
    taken.close();
  });
});
