// Starts the product once for all end-to-end suites: the standalone profile, or with CAIRN_PROFILE=cluster the four
// services on native servers. Works on the build, as a user would; test workers find it through CAIRN_E2E.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startCluster } from '@cairn/local-servers';
import { StandaloneProcess, testCacheDir } from '@cairn/testing';

/**
 * The ports on which suites may start external MCP servers: the product connects to no other address on this machine.
 */
const STUB_PORTS = 24;

/** @param {string} dataDir @param {Record<string, string>} serviceEnv */
const start = async (dataDir, serviceEnv) => {
  if (process.env.CAIRN_PROFILE === 'cluster') {
    const log = process.env.CAIRN_E2E_VERBOSE ? console.log : () => {};
    const javaHome = process.env.JAVA_HOME;
    const cluster = await startCluster({ dataDir, cacheDir: testCacheDir(), javaHome, log, serviceEnv });
    const { url, opsUrl, token } = cluster;
    const envs = { gateway: cluster.envOf('gateway'), cli: cluster.envOf('cli') };
    return { profile: 'cluster', url, opsUrl, token, stop: () => cluster.stop(), envs };
  }
  const standalone = await StandaloneProcess.start(dataDir, serviceEnv);
  const { url, natsUrl } = standalone.run;
  const env = { NATS_URL: natsUrl };
  const envs = { gateway: env, cli: env };
  return { profile: 'standalone', url, opsUrl: url, token: standalone.token, stop: () => standalone.stop(), envs };
};

export default async () => {
  const [closedPort, ...stubPorts] = await Promise.all(Array.from({ length: 1 + STUB_PORTS }, () => freePort()));
  const origins = [closedPort, ...stubPorts].map((port) => `http://127.0.0.1:${port}`).join(',');
  // The directory that the folder connector may read.
  const connectorRoot = mkdtempSync(join(tmpdir(), 'cairn-e2e-files-'));
  const serviceEnv = { CAIRN_MCP_LOCAL_ORIGINS: origins, CAIRN_CONNECTOR_ROOTS: connectorRoot };
  const running = await start(mkdtempSync(join(tmpdir(), 'cairn-e2e-')), serviceEnv);
  const { profile, url, opsUrl, token, envs } = running;
  const found = { profile, url, opsUrl, mcpUrl: `${url}/mcp`, token, envs, stubPorts, closedPort, connectorRoot };
  process.env.CAIRN_E2E = JSON.stringify(found);
  globalThis.cairnUnderTest = running;
};
