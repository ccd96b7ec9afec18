import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startNatsServer } from './nats-server.js';
import { startPglite } from './pglite-server.js';
import { identify } from './process-identity.js';

const home = mkdtempSync(join(tmpdir(), 'cairn-orphans-'));
const log = (): void => undefined;

const PARENT = `
  import { startNatsServer, startPglite } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)};
  const log = () => {};
  const nats = await startNatsServer({ storeDir: ${JSON.stringify(join(home, 'nats'))}, log });
  const pglite = await startPglite({ dataDir: ${JSON.stringify(join(home, 'postgres'))}, log });
  console.log(JSON.stringify({ nats: nats.pid, pglite: pglite.pid, url: pglite.url }));
`;

describe('when the parent is killed with SIGKILL', () => {
  it('a new parent starts on the same directories, and no old server is left', async () => {
    const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    const old = JSON.parse(line) as { nats: number; pglite: number; url: string };
    const client = new pg.Client({ connectionString: old.url });
    client.on('error', log);
    await client.connect();
    await client.query('create table kept as select 42 as n');
    parent.kill('SIGKILL');
    await once(parent, 'exit');

    const nats = await startNatsServer({ storeDir: join(home, 'nats'), log });
    const pglite = await startPglite({ dataDir: join(home, 'postgres'), log });
    expect([identify(old.nats), identify(old.pglite)]).toEqual([undefined, undefined]);
    const again = new pg.Client({ connectionString: pglite.url });
    await again.connect();
    expect((await again.query('select n from kept')).rows).toEqual([{ n: 42 }]);
    await again.end();
    await Promise.all([nats.stop(), pglite.stop()]);
    rmSync(home, { recursive: true });
  });
});
