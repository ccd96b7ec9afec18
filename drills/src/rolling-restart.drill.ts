import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster, type Cluster } from '@cairn/local-servers';
import { rollingRestart, SteadyLoad, testCacheDir, type LoadReport, type Restart } from '@cairn/testing';
import { positive } from './command-line.js';
import type { Drill, DrillReport } from './drill.js';

const SLOW_MS = 2_000;
const SHOWN_MAX = 20;

const withCluster = async <T>(log: (line: string) => void, use: (cluster: Cluster) => Promise<T>): Promise<T> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-drill-'));
  const cluster = await startCluster({
    ...{ dataDir, cacheDir: testCacheDir(), javaHome: process.env['JAVA_HOME'], log },
    replicas: 2,
    serviceEnv: { CAIRN_STOP_DELAY_SECONDS: '1' },
  });
  try {
    return await use(cluster);
  } finally {
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

const at = (sortedMs: readonly number[], share: number): number =>
  Math.round(sortedMs[Math.min(sortedMs.length - 1, Math.floor(sortedMs.length * share))] ?? 0);

const longest = (times: readonly number[]): number => Math.round(Math.max(...times));

const reportOf = (load: LoadReport, restarts: readonly Restart[], seconds: number): DrillReport => {
  const { calls, stored, failures, lost, doubled, sortedMs } = load;
  const slow = sortedMs.filter((ms) => ms > SLOW_MS).length;
  const unclean = restarts.filter(({ exitCode }) => exitCode !== 0);
  const perService = [...new Set(restarts.map(({ name }) => name))].map((service) => {
    const own = restarts.filter(({ name }) => name === service);
    const [stopMs, startMs] = [longest(own.map((each) => each.stopMs)), longest(own.map((each) => each.startMs))];
    return [`restarts of ${service}`, `${own.length}; stopped within ${stopMs} ms, ready within ${startMs} ms`];
  });
  return {
    figures: {
      calls: `${calls} in ${Math.round(seconds)} s, ${(calls / seconds).toFixed(1)} per second`,
      stored,
      failed: failures.length,
      lost: lost.length,
      doubled: doubled.length,
      'time of a call': `p50 ${at(sortedMs, 0.5)} ms, p99 ${at(sortedMs, 0.99)} ms, longest ${at(sortedMs, 1)} ms`,
      [`calls over ${SLOW_MS} ms`]: slow,
      ...(Object.fromEntries(perService) as Record<string, string>),
    },
    broken: [
      ...failures.slice(0, SHOWN_MAX).map((failure) => `a call failed: ${failure}`),
      ...lost.slice(0, SHOWN_MAX).map((title) => `an acknowledged item is missing: ${title}`),
      ...doubled.slice(0, SHOWN_MAX).map((title) => `an item was stored twice: ${title}`),
      ...unclean.map(({ name, exitCode }) => `${name} ended with ${exitCode}`),
      ...(slow > 0 ? [`${slow} calls took longer than ${SLOW_MS} ms`] : []),
    ],
  };
};

/** The promise: a rolling restart is invisible to clients. */
export const rollingRestartDrill: Drill = {
  name: 'rolling-restart',
  about: 'Restarts both replicas of every service again and again under mixed calls: none fails, is lost or doubled.',
  options: { rounds: { type: 'string', default: '20' }, rate: { type: 'string', default: '50' } },
  run: (values, say) => {
    const [rounds, callsPerSecond] = [positive(values, 'rounds'), positive(values, 'rate')];
    return withCluster(say, async ({ replicas, token }) => {
      const load = new SteadyLoad({ gateways: replicas.gateway, token, callsPerSecond });
      await load.start();
      const startMs = performance.now();
      const restarts: Restart[] = [];
      for (let round = 1; round <= rounds; round++) {
        restarts.push(...(await rollingRestart(replicas, say)));
        say(`round ${round} of ${rounds} is done`);
      }
      const seconds = (performance.now() - startMs) / 1_000;
      return reportOf(await load.stop(), restarts, seconds);
    });
  },
};
