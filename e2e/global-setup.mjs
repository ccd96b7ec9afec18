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

/** @param {string} dataDir @param {Record<string, string>} gatewayEnv */
const start = async (dataDir, gatewayEnv) => {
  if (process.env.CAIRN_PROFILE === 'cluster') {
    const log = process.env.CAIRN_E2E_VERBOSE ? console.log : () => {};
    const javaHome = process.env.JAVA_HOME;
    const cluster = await startCluster({ dataDir, cacheDir: testCacheDir(), javaHome, log, gatewayEnv });
    const { url, token, env } = cluster;
    return { profile: 'cluster', url, token, stop: () => cluster.stop(), natsUrl: env.NATS_URL };
  }
  const standalone = await StandaloneProcess.start(dataDir, gatewayEnv);
  const { url, natsUrl } = standalone.run;
  return { profile: 'standalone', url, token: standalone.token, stop: () => standalone.stop(), natsUrl };
};

export default async () => {
  const [closedPort, ...stubPorts] = await Promise.all(Array.from({ length: 1 + STUB_PORTS }, () => freePort()));
  const origins = [closedPort, ...stubPorts].map((port) => `http://127.0.0.1:${port}`).join(',');
  // The directory that the folder connector may read.
  const connectorRoot = mkdtempSync(join(tmpdir(), 'cairn-e2e-files-'));
  const gatewayEnv = { CAIRN_MCP_LOCAL_ORIGINS: origins, CAIRN_CONNECTOR_ROOTS: connectorRoot };
  const running = await start(mkdtempSync(join(tmpdir(), 'cairn-e2e-')), gatewayEnv);
  const { profile, url, token, natsUrl } = running;
  const found = { profile, url, mcpUrl: `${url}/mcp`, token, natsUrl, stubPorts, closedPort, connectorRoot };
  process.env.CAIRN_E2E = JSON.stringify(found);
  globalThis.cairnUnderTest = running;
};
