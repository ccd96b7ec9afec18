import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startCluster, type Cluster, type ServiceName } from '@cairn/local-servers';
import { SteadyLoad, testCacheDir, untilSettled, type LoadReport, type Settled } from '@cairn/testing';
import { positive } from './command-line.js';
import type { Drill, DrillReport } from './drill.js';
import { otherRelease, OWN_ROOT } from './other-release.js';

const SERVICES = ['ingest', 'embedder', 'search', 'gateway'] as const;
/** How long vectors and projections may take after the load has ended. */
const SETTLE_MS = 60_000;
const SHOWN_MAX = 20;

/** The services that run the other release. */
type Mix = ReadonlySet<ServiceName>;

interface MixReport {
  readonly name: string;
  readonly load: LoadReport;
  readonly settled: Settled;
}

/** All 16 mixes, each of which differs from the one before by one service, and the last one from the first. */
export const allMixes = (): Mix[] =>
  Array.from({ length: 2 ** SERVICES.length }, (_, i) => {
    const bits = i ^ (i >> 1);
    return new Set(SERVICES.filter((_service, bit) => (bits & (1 << bit)) !== 0));
  });

const nameOf = (mix: Mix): string => (mix.size === 0 ? 'this release' : `other ${[...mix].join(', ')}`);

const change = async ({ replicas }: Cluster, from: Mix, to: Mix, otherRoot: string): Promise<void> => {
  for (const name of SERVICES) {
    if (from.has(name) === to.has(name)) continue;
    const [replica] = replicas[name];
    await replica!.end('SIGTERM');
    await replica!.start(to.has(name) ? otherRoot : OWN_ROOT);
  }
};

const tryMix = async (cluster: Cluster, mix: Mix, seconds: number, rate: number): Promise<MixReport> => {
  const { url, token, replicas } = cluster;
  const load = new SteadyLoad({ gateways: replicas.gateway, token, callsPerSecond: rate, titles: nameOf(mix) });
  await load.start();
  await delay(seconds * 1_000);
  const report = await load.stop();
  return { name: nameOf(mix), load: report, settled: await untilSettled({ url, token, timeoutMs: SETTLE_MS }) };
};

const brokenIn = ({ name, load, settled }: MixReport): string[] =>
  [
    ...load.failures.map((failure) => `a call failed: ${failure}`),
    ...load.lost.map((title) => `an acknowledged item is missing: ${title}`),
    ...load.doubled.map((title) => `an item was stored twice: ${title}`),
    ...settled.stalled.map((projection) => `projection ${projection} has stopped`),
    ...settled.withoutVector.map((item) => `an item has no vector: ${item}`),
  ]
    .slice(0, SHOWN_MAX)
    .map((promise) => `${name}: ${promise}`);

const reportOf = (mixes: readonly MixReport[], other: string): DrillReport => ({
  figures: {
    'other release': other,
    ...Object.fromEntries(
      mixes.map(({ name, load: { calls, stored, failures } }) => [
        name,
        `${calls} calls, ${stored} stored, ${failures.length} failed`,
      ]),
    ),
  },
  broken: mixes.flatMap(brokenIn),
});

const withCluster = async (log: (line: string) => void, use: (cluster: Cluster) => Promise<DrillReport>) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-drill-'));
  const cluster = await startCluster({ dataDir, cacheDir: testCacheDir(), javaHome: process.env['JAVA_HOME'], log });
  try {
    return await use(cluster);
  } finally {
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

/** The promise: two releases run side by side, in any mix of their services. */
export const mixedVersionsDrill: Drill = {
  name: 'mixed-versions',
  about: 'Runs all 16 mixes of this release and another under load: no call fails, every item gets its vector.',
  options: {
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '10' },
    other: { type: 'string', default: '' },
    ref: { type: 'string', default: '' },
  },
  run: async (values, say) => {
    const [seconds, rate] = [positive(values, 'seconds'), positive(values, 'rate')];
    const other = otherRelease({ folder: String(values['other']), ref: String(values['ref']) }, say);
    try {
      return await withCluster(say, async (cluster) => {
        const mixes: MixReport[] = [];
        let current: Mix = new Set();
        for (const mix of allMixes()) {
          await change(cluster, current, mix, other.root);
          current = mix;
          mixes.push(await tryMix(cluster, mix, seconds, rate));
          say(`${mixes.length} of 16, ${nameOf(mix)}: done`);
        }
        return reportOf(mixes, other.name);
      });
    } finally {
      other.remove();
    }
  },
};
