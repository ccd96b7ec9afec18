// `npm run start:cluster`: starts the cluster profile on this machine for inspection, without containers. Data under
// .cairn-cluster.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { defaultCacheDir } from '@cairn/artifacts';
import { startCluster } from '@cairn/local-servers';

const dataDir = resolve(process.env.CAIRN_CLUSTER_HOME ?? '.cairn-cluster');
const tokenFile = join(dataDir, 'admin-token');
const cluster = await startCluster({
  dataDir,
  cacheDir: process.env.CAIRN_CACHE ?? defaultCacheDir(homedir()),
  javaHome: process.env.JAVA_HOME,
  log: (line) => console.log(line),
  gatewayPort: Number(process.env.CAIRN_PORT ?? 7480),
});
if (cluster.token) writeFileSync(tokenFile, `${cluster.token}\n`, { mode: 0o600 });
console.log(`
Cairn is running as a cluster of four services.

  Console  ${cluster.url}/
  MCP      ${cluster.mcpUrl}
  REST     ${cluster.url}/api/v1   (described at ${cluster.url}/api/v1/docs)
  Health   ${cluster.opsUrl}/readyz
  Token    ${cluster.token || (existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8').trim() : 'unknown')}

For \`npx cairn\`:
${Object.entries(cluster.envOf('cli'))
  .map(([name, value]) => `  export ${name}='${value}'`)
  .join('\n')}
`);
let isStopping = false;
const stop = () => {
  if (isStopping) return;
  isStopping = true;
  void cluster.stop().then(() => process.exit(0));
};
process.on('SIGTERM', stop).on('SIGINT', stop);
