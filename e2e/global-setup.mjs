// Starts the product once for all end-to-end suites: the standalone profile, or with CAIRN_PROFILE=cluster the four
// services on native servers. Works on the build, as a user would; test workers find it through CAIRN_E2E.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '@cairn/local-servers';
import { StandaloneProcess, testCacheDir } from '@cairn/testing';

/** @param {string} dataDir */
const start = async (dataDir) => {
  if (process.env.CAIRN_PROFILE === 'cluster') {
    const log = process.env.CAIRN_E2E_VERBOSE ? console.log : () => {};
    const cluster = await startCluster({ dataDir, cacheDir: testCacheDir(), javaHome: process.env.JAVA_HOME, log });
    const { url, token, env } = cluster;
    return { profile: 'cluster', url, token, stop: () => cluster.stop(), natsUrl: env.NATS_URL };
  }
  const standalone = await StandaloneProcess.start(dataDir);
  const { url, natsUrl } = standalone.run;
  return { profile: 'standalone', url, token: standalone.token, stop: () => standalone.stop(), natsUrl };
};

export default async () => {
  const running = await start(mkdtempSync(join(tmpdir(), 'cairn-e2e-')));
  const { profile, url, token, natsUrl } = running;
  process.env.CAIRN_E2E = JSON.stringify({ profile, url, mcpUrl: `${url}/mcp`, token, natsUrl });
  globalThis.cairnUnderTest = running;
};
