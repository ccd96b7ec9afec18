import { connectNats, type NatsConnection } from '@cairn/messaging';
import { JetStreamOpLog, VectorLog, type EntryReader } from '@cairn/op-log';
import { logOf, PROJECTIONS } from '@cairn/projections';
import type { Benchmark, Line } from './benchmark.js';
import { cairn } from './cairn-cli.js';
import { percent, perSecond } from './format.js';
import type { Laboratory } from './laboratory.js';
import { median } from './statistics.js';
import { readWorkload, type Workload } from './workloads.js';

const READ_BATCH = 500;
const READ_WAIT_MS = 5_000;

interface ReplayReport {
  readonly ops: number;
  readonly seconds: number;
  readonly equal?: boolean;
}

/** The floor: the same log, read from start to head and decoded, without further work. */
const rawReadRate = async (nats: NatsConnection, projection: string): Promise<number> => {
  const { stream } = PROJECTIONS.find(({ name }) => name === projection)!;
  const log = logOf({ log: await JetStreamOpLog.open(nats), vectors: new VectorLog(nats) }, stream);
  const head = await log.head();
  const startMs = performance.now();
  const reader: EntryReader<{ readonly position: number }> = log.read(1);
  for (let position = 0; position < head;) {
    const entries = await reader.next(READ_BATCH, READ_WAIT_MS);
    position = entries.at(-1)?.position ?? head;
  }
  const seconds = (performance.now() - startMs) / 1_000;
  await reader.close();
  return head / seconds;
};

const measure = async (laboratory: Laboratory, nats: NatsConnection, projection: string, rounds: number) => {
  const reports: (ReplayReport & { readonly rawRate: number })[] = [];
  for (let round = 0; round < rounds; round++) {
    const rawRate = await rawReadRate(nats, projection);
    const report = await cairn<ReplayReport>({ CAIRN_HOME: laboratory.home }, 'oplog', 'replay', projection);
    if (report.equal === false) throw new Error(`the rebuilt ${projection} differs from the live one`);
    // Promotes the rebuilt one, so that the next round starts from an empty slot.
    await cairn({ CAIRN_HOME: laboratory.home }, 'oplog', 'promote', projection, '--yes');
    reports.push({ ...report, rawRate });
    laboratory.log(`replay of ${projection}: ${report.ops} ops in ${report.seconds.toFixed(1)} s`);
  }
  return reports;
};

const lineOf = (
  projection: string,
  { opsPerSecondMin }: Workload<'replay'>['aim'],
  reports: Awaited<ReturnType<typeof measure>>,
): Line => {
  const rate = median(reports.map(({ ops, seconds }) => ops / seconds));
  const rawRate = median(reports.map((report) => report.rawRate));
  const value = rate / rawRate;
  return {
    id: `replay.${projection}`,
    what: `replay of ${projection}, ${reports[0]!.ops} ops`,
    product: perSecond(rate, 'ops'),
    floor: `raw read ${perSecond(rawRate, 'ops')}`,
    ratio: { value, text: `${percent(value)} of its rate` },
    aim: { text: `>= ${perSecond(opsPerSecondMin, 'ops')}`, isMet: rate >= opsPerSecondMin },
    figures: { rounds: reports },
  };
};

export const replayBenchmark: Benchmark = {
  name: 'replay',
  about: 'rebuilding each projection from the log, beside reading the log alone',
  run: async (laboratory: Laboratory) => {
    const { projections, rounds, aim } = readWorkload('replay');
    const product = await laboratory.seeded();
    const nats = await connectNats({ url: product.host.run.natsUrl }, 'benchmark');
    const lines: Line[] = [];
    try {
      for (const projection of projections) {
        lines.push(lineOf(projection, aim, await measure(laboratory, nats, projection, rounds)));
      }
    } finally {
      await nats.close();
    }
    return lines;
  },
};
