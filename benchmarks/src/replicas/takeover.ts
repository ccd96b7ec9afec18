import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceProcess } from '@cairn/local-servers';
import { MixedCalls } from '@cairn/testing';
import type { ScaledCluster } from './scaled-cluster.js';

export interface Takeover {
  /** From the kill to the first answer to a store that was sent after it. */
  readonly ms: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
}

/** Stores at a fixed rate, kills the ingest that projects, and ends a moment after the first answer that follows. */
const storeAcrossKill = async (
  calls: MixedCalls,
  gateways: readonly ServiceProcess[],
  kill: () => Promise<unknown>,
  everyMs: number,
): Promise<{ readonly ms: number; readonly acknowledged: readonly string[] }> => {
  const acknowledged: string[] = [];
  const pending: Promise<void>[] = [];
  let [killedMs, answeredMs] = [Infinity, Infinity];
  const store = async (n: number): Promise<void> => {
    const sentMs = performance.now();
    await calls.restStore(gateways[n % gateways.length]!.url, `Note ${n}`);
    acknowledged.push(`Note ${n}`);
    if (sentMs > killedMs) answeredMs = Math.min(answeredMs, performance.now());
  };
  for (let n = 0; performance.now() < answeredMs + 10 * everyMs; n++) {
    if (n === 20) {
      killedMs = performance.now();
      await kill();
    }
    // What was under way in the killed process gets no answer; it may be stored or not.
    pending.push(store(n).catch(() => undefined));
    await delay(everyMs);
  }
  await Promise.all(pending);
  return { ms: answeredMs - killedMs, acknowledged };
};

export const measureTakeover = async (cluster: ScaledCluster, slug: string, everyMs: number): Promise<Takeover> => {
  const calls = new MixedCalls(await cluster.workspace(slug));
  const holder = await cluster.holder();
  const { ms, acknowledged } = await storeAcrossKill(calls, cluster.gateways, () => holder.app.end('SIGKILL'), everyMs);
  const counts = new Map<string, number>();
  for (const { title } of await calls.items(cluster.gateways[0]!.url)) counts.set(title, (counts.get(title) ?? 0) + 1);
  calls.close();
  await holder.start();
  return {
    ms,
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((title) => !counts.has(title)).length,
    doubled: [...counts.values()].filter((count) => count > 1).length,
  };
};
