import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { endStaleProcess, identify, writePidFile } from './process-identity.js';

const children: ChildProcess[] = [];

const sleeper = async (): Promise<{ child: ChildProcess; pid: number; exit: Promise<unknown[]> }> => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
  children.push(child);
  await once(child, 'spawn');
  return { child, pid: child.pid as number, exit: once(child, 'exit') };
};

const pidFile = (): string => join(mkdtempSync(join(tmpdir(), 'cairn-pid-')), 'server.pid');

describe('the pid file', () => {
  afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

  it('ends the process that an earlier run left behind, and waits until it is gone', async () => {
    const file = pidFile();
    const { pid, exit } = await sleeper();
    writePidFile(file, pid);
    expect(await endStaleProcess(file)).toBe(pid);
    expect(identify(pid)).toBeUndefined();
    expect(await exit).toEqual([null, 'SIGKILL']);
    expect(existsSync(file)).toBe(false);
  });

  it('leaves an unrelated process with the same pid alone', async () => {
    const file = pidFile();
    const { pid } = await sleeper();
    writePidFile(file, pid);
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), startedAt: 'another boot/1' }));
    expect(await endStaleProcess(file)).toBeUndefined();
    expect(identify(pid)).toBeDefined();
  });

  it('ends no process when the file is missing or broken', async () => {
    const file = pidFile();
    expect(await endStaleProcess(file)).toBeUndefined();
    writeFileSync(file, '{"pid":');
    expect(await endStaleProcess(file)).toBeUndefined();
  });
});
