import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startCluster } from '@cairn/local-servers';
import { testCacheDir } from '@cairn/testing';
import { describeCanaries, type OpenCairn } from './forget-canary.js';

const run = promisify(execFile);
const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));

const open = async (dataDir: string): Promise<OpenCairn> => {
  const cluster = await startCluster({
    dataDir,
    cacheDir: testCacheDir(),
    javaHome: process.env['JAVA_HOME'],
    log: () => undefined,
  });
  return {
    url: cluster.url,
    mcpUrl: cluster.mcpUrl,
    token: cluster.token,
    dataDir,
    output: () =>
      Object.values(cluster.services)
        .map((service) => service.output)
        .join('\n'),
    cli: (...args) => run(process.execPath, [CAIRN, ...args], { env: { ...process.env, ...cluster.envOf('cli') } }),
    stop: async () => {
      await cluster.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

describeCanaries('a cluster', () => open(mkdtempSync(join(tmpdir(), 'cairn-canary-'))));
