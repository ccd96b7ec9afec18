import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { LEASES_BUCKET } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import { TestNats } from '@cairn/testing';
import { Kvm, type KV } from '@nats-io/kv';
import { Lease } from './lease.js';
import type { LeaseRecord } from './lease-rules.js';

let broker: TestNats;
let bucket: KV;
let count = 0;
const leases: Lease[] = [];

beforeAll(async () => {
  broker = await TestNats.start();
  const nats = await broker.connect();
  await Lease.open(nats, 1, { name: 'any', holder: 'no one' });
  bucket = await new Kvm(nats).open(LEASES_BUCKET, { bindOnly: true });
});
afterEach(() => Promise.all(leases.splice(0).map((lease) => lease.stop())));
afterAll(() => broker.stop());

const open = async (name: string, nats?: NatsConnection): Promise<Lease> => {
  const lease = await Lease.open(nats ?? (await broker.connect()), 1, { name, holder: `process-${count++}` });
  leases.push(lease);
  return lease;
};

const started = async (name: string): Promise<Lease> => {
  const lease = await open(name);
  await lease.start();
  return lease;
};

const untilOurs = async (lease: Lease): Promise<void> => {
  while (!lease.isOurs) await lease.changed(1_000);
};

const revisionOf = async (name: string): Promise<number> => {
  for (;;) {
    // The broker may be restarting.
    const entry = await bucket.get(name).catch(() => undefined);
    if (entry) return entry.revision;
  }
};

/** Resolves when the record has been written this many times more. */
const untilRenewed = async (name: string, times: number): Promise<void> => {
  let last = await revisionOf(name);
  for (let seen = 0; seen < times;) {
    const revision = await revisionOf(name);
    if (revision !== last) seen++;
    last = revision;
  }
};

const holderOf = async (name: string): Promise<string | null> => (await bucket.get(name))!.json<LeaseRecord>().holder;

describe('a lease of several processes', () => {
  it('belongs to the first as long as that one renews it', async () => {
    const [first, second] = [await started('kept'), await started('kept')];
    expect([first.isOurs, second.isOurs]).toEqual([true, false]);
    await untilRenewed('kept', 4);
    expect([first.isOurs, second.isOurs]).toEqual([true, false]);
    expect(second.holder).toBe(first.holder);
  });

  it('goes to exactly one of those that start together', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => open('together')));
    await Promise.all(all.map((lease) => lease.start()));
    expect(all.filter(({ isOurs }) => isOurs)).toHaveLength(1);
  });

  it('is given up by a holder that stops, and another takes it', async () => {
    const [first, second] = [await started('stopped'), await started('stopped')];
    const before = first.holder;
    await first.stop();
    expect(await holderOf('stopped')).not.toBe(before);
    await untilOurs(second);
    expect(first.isOurs).toBe(false);
  });

  it('goes to another when its holder dies, and the dead one does not believe to hold it any more', async () => {
    const nats = await broker.connect();
    const first = await open('dead', nats);
    await first.start();
    const second = await started('dead');
    await nats.close();
    await untilOurs(second);
    expect(first.isOurs).toBe(false);
  });

  it('goes to another when its holder is not fit for the work, and back when that one is not either', async () => {
    const [first, second] = [await started('unfit'), await started('unfit')];
    first.onlyWhile(() => false);
    await untilOurs(second);
    first.onlyWhile(() => true);
    second.onlyWhile(() => false);
    await untilOurs(first);
    expect(second.isOurs).toBe(false);
  });

  it('is one lease per name', async () => {
    expect([(await started('one')).isOurs, (await started('other')).isOurs]).toEqual([true, true]);
  });

  it('is renewed again after a restart of the broker', async () => {
    const lease = await started('restart');
    await broker.kill();
    await untilRenewed('restart', 2);
    expect(lease.isOurs).toBe(true);
  });
});
