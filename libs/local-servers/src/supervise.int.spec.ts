import { EventEmitter, once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail } from '@cairn/kernel';
import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from './free-port.js';
import { identify } from './process-identity.js';
import { pollUntil, supervise, type LocalServer, type SupervisedServer, type Supervision } from './supervise.js';

const FAST = { firstMs: 10, maxMs: 40, healthyAfterMs: 30_000 };
const LISTEN = (port: number): string => `require('net').createServer(s => s.end('hi')).listen(${port}, '127.0.0.1')`;
const servers: SupervisedServer[] = [];

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('close', () => socket.destroy());
  });

const options = (port: number, script: string, more: Partial<Supervision> = {}): Supervision => ({
  name: 'tiny',
  url: `tcp://127.0.0.1:${port}`,
  pidFile: join(mkdtempSync(join(tmpdir(), 'cairn-sup-')), 'server.pid'),
  spawn: () => ({ file: process.execPath, args: ['-e', script] }),
  ready: (_child, signal) => pollUntil(() => accepts(port), signal),
  backoff: FAST,
  log: () => undefined,
  ...more,
});

const start = async (supervision: Supervision): Promise<SupervisedServer> => {
  const server = await supervise(supervision);
  servers.push(server);
  return server;
};

/** Collects log lines and lets a test wait for one. */
const logBook = () => {
  const lines: string[] = [];
  const events = new EventEmitter();
  return {
    lines,
    log: (line: string) => {
      lines.push(line);
      events.emit('line');
    },
    async until(pattern: RegExp): Promise<void> {
      while (!lines.some((line) => pattern.test(line))) await once(events, 'line');
    },
  };
};

describe('supervising a child', () => {
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

  it('restarts a stuck child once the disk has room', async () => {
    const port = await freePort();
    const events = new EventEmitter();
    const [noRoom, restarted] = [once(events, 'no-room'), once(events, 'restart')];
    let hasRoom = false;
    const server = await start(
      options(port, `${LISTEN(port)}; console.log('no space')`, {
        isStuck: (line) => line === 'no space' && !hasRoom,
        hasRoom: () => hasRoom,
        onNoRoom: () => events.emit('no-room'),
        onRestart: () => events.emit('restart'),
      }),
    );
    const { pid } = server;
    await noRoom;
    expect([server.pid, await accepts(port)]).toEqual([pid, true]);
    hasRoom = true;
    await restarted;
    expect(server.pid).not.toBe(pid);
    expect(server.restarts).toBe(1);
  });

  it('delays the restart of a crashed child until the disk has room, and can be stopped meanwhile', async () => {
    const port = await freePort();
    const noRoom = new EventEmitter();
    const waits = once(noRoom, 'seen');
    const server = await start(
      options(port, LISTEN(port), { hasRoom: () => false, onNoRoom: () => noRoom.emit('seen') }),
    );
    process.kill(server.pid!, 'SIGKILL');
    await waits;
    await server.stop();
    expect([server.restarts, server.pid]).toEqual([0, undefined]);
  });

  it('restarts a crashed child on the same port, and reports the new pid', async () => {
    const port = await freePort();
    const events = new EventEmitter();
    const restarted = once(events, 'restart');
    const server = await start(options(port, LISTEN(port), { onRestart: (again) => events.emit('restart', again) }));
    const first = server.pid as number;
    process.kill(first, 'SIGKILL');
    const [again] = (await restarted) as [LocalServer];
    expect(again.url).toBe(`tcp://127.0.0.1:${port}`);
    expect(again.pid).not.toBe(first);
    expect(await accepts(port)).toBe(true);
    expect(server.restarts).toBe(1);
  });

  it('waits longer after each crash, up to the limit', async () => {
    const port = await freePort();
    const book = logBook();
    // The child ends only after the supervisor has connected to it, however slow the machine is.
    const script = `${LISTEN(port)}.on('connection', () => setTimeout(() => process.exit(7), 100))`;
    await start(options(port, script, { log: book.log }));
    await book.until(/restarting in 40 ms/);
    const waits = book.lines.flatMap((line) => /exit code 7\); restarting in (\d+) ms/.exec(line)?.[1] ?? []);
    expect(waits.slice(0, 3)).toEqual(['10', '20', '40']);
  });

  it('reports the last output of a child that is not ready in time', async () => {
    const script = `console.error('waiting for the moon'); setInterval(() => {}, 1000)`;
    const failing = supervise(options(1, script, { readyTimeoutMs: 400 }));
    await expect(failing).rejects.toMatchObject({
      code: 'server.not_ready',
      message: expect.stringMatching(/tiny was not ready within 400 ms\. It printed last:\nwaiting for the moon/),
    });
  });

  it('fails immediately when the child ends before it is ready', async () => {
    const failing = supervise(options(1, `console.log('no disk'); process.exit(3)`));
    await expect(failing).rejects.toThrow('tiny ended (exit code 3) before it was ready. It printed last:\nno disk');
  });

  it('can be stopped while it waits to restart, and then starts no child', async () => {
    const port = await freePort();
    const book = logBook();
    const backoff = { firstMs: 60_000, maxMs: 60_000, healthyAfterMs: 30_000 };
    const server = await start(options(port, LISTEN(port), { backoff, log: book.log }));
    process.kill(server.pid as number, 'SIGKILL');
    await book.until(/restarting in/);
    await server.stop();
    expect(server.pid).toBeUndefined();
    expect(await accepts(port)).toBe(false);
  });

  it('kills a child that ignores the request to stop', async () => {
    const port = await freePort();
    const script = `process.on('SIGTERM', () => {}); ${LISTEN(port)}`;
    const server = await start(options(port, script, { stopGraceMs: 50 }));
    const pid = server.pid as number;
    await Promise.all([server.stop(), server.stop()]);
    expect(identify(pid)).toBeUndefined();
  });

  it('gives up when the exit of the child shows that a restart cannot help', async () => {
    const port = await freePort();
    const events = new EventEmitter();
    const gaveUp = once(events, 'give-up');
    let launches = 0;
    const server = await start(
      options(port, LISTEN(port), {
        spawn: () => ({ file: process.execPath, args: ['-e', launches++ === 0 ? LISTEN(port) : 'process.exit(43)'] }),
        explainExit: () => fail('pglite.corrupt', 'broken for good'),
        onGiveUp: (error) => events.emit('give-up', error),
      }),
    );
    process.kill(server.pid as number, 'SIGKILL');
    expect(await gaveUp).toMatchObject([{ code: 'pglite.corrupt' }]);
    expect(launches).toBe(2);
  });
});
