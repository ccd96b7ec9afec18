import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultCacheDir } from '@cairn/artifacts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@opensearch-project/opensearch';
import { startOpenSearch } from './opensearch.js';
import type { SupervisedServer } from './supervise.js';

const START_TIMEOUT_MS = 300_000;

describe('OpenSearch', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-os-'));
  const events = new EventEmitter();
  let server: SupervisedServer;
  let client: Client;

  beforeAll(async () => {
    const cacheDir = process.env['CAIRN_CACHE'] ?? defaultCacheDir(homedir());
    server = await startOpenSearch({
      dataDir,
      cacheDir,
      log: () => undefined,
      onRestart: () => events.emit('restart'),
    });
    client = new Client({ node: server.url });
  }, START_TIMEOUT_MS);

  afterAll(async () => {
    await client.close();
    await server.stop();
    rmSync(dataDir, { recursive: true });
  }, START_TIMEOUT_MS);

  it('analyses English text', async () => {
    const body = { analyzer: 'english', text: 'stacked stones' };
    const { body: answer } = await client.indices.analyze({ body });
    expect(answer.tokens?.map(({ token }) => token)).toEqual(['stack', 'stone']);
  });

  it(
    'restarts green at the same address with its documents after a SIGKILL',
    async () => {
      await client.indices.create({ index: 'kept', body: { settings: { number_of_replicas: 0 } } });
      await client.index({ index: 'kept', id: '1', body: { n: 42 } });
      const { pid } = server;
      const restarted = once(events, 'restart');
      process.kill(pid as number, 'SIGKILL');
      await restarted;
      expect(server.pid).not.toBe(pid);
      expect((await client.get({ index: 'kept', id: '1' })).body._source).toEqual({ n: 42 });
    },
    START_TIMEOUT_MS,
  );
});
