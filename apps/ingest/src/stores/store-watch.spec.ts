import { describe, expect, it } from '@jest/globals';
import { fail } from '@cairn/contracts';
import { createLogger, createMetrics } from '@cairn/observability';
import type { Inspection } from '@cairn/projections';
import { StoreWatch } from './store-watch.js';

const INTACT: Inspection = { isLost: false, problem: undefined };

/** A watch over one store, with what the next looks will find. */
const setUp = (finds: (Inspection | Error)[], log: () => Inspection = () => INTACT) => {
  let healed = 0;
  let tooFew: string[] = [];
  const metrics = createMetrics();
  const watch = new StoreWatch({
    nats: {} as never,
    stores: [
      { name: 'OPLOG', inspect: () => Promise.resolve(log()) },
      {
        name: 'VECTORS',
        inspect: () => {
          const found = finds.shift()!;
          return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
        },
        heal: () => Promise.resolve(void healed++),
      },
    ],
    raiseReplicas: () => Promise.resolve(tooFew),
    replicas: 3,
    logger: createLogger({ name: 'test', level: 'silent', format: 'json' }),
    metrics,
  });
  const look = async () => {
    await watch.look();
    const { values } = await metrics.storeIntact.get();
    return {
      intact: values.find(({ labels }) => labels.store === 'VECTORS')?.value,
      healed,
      problems: watch.streamProblems,
    };
  };
  return { look, metrics, lack: (streams: string[]) => (tooFew = streams) };
};

describe('the watch over the stores', () => {
  it('has a lost store restored, and only reports one that is being restored', async () => {
    const { look } = setUp([{ isLost: true, problem: 'lost' }, { isLost: false, problem: 'rebuilding' }, INTACT]);
    expect(await look()).toEqual({ intact: 0, healed: 1, problems: ['lost'] });
    expect(await look()).toEqual({ intact: 0, healed: 1, problems: ['rebuilding'] });
    expect(await look()).toEqual({ intact: 1, healed: 1, problems: [] });
  });

  it('does not take a store that is unavailable for lost, or for restored', async () => {
    const unreachable = fail('lexical.unavailable', 'OpenSearch is out of reach');
    const { look } = setUp([INTACT, unreachable, { isLost: true, problem: 'lost' }, unreachable]);
    expect(await look()).toMatchObject({ intact: 1, healed: 0 });
    expect(await look()).toMatchObject({ intact: 1, healed: 0 });
    expect(await look()).toMatchObject({ intact: 0, healed: 1 });
    expect(await look()).toEqual({ intact: 0, healed: 1, problems: ['lost'] });
  });

  it('leaves a lost store to the operator while the log is lost too', async () => {
    const lost = { isLost: true, problem: 'lost' };
    let log: Inspection = lost;
    const { look } = setUp([lost, lost], () => log);
    expect(await look()).toMatchObject({ intact: 0, healed: 0 });
    log = INTACT;
    expect(await look()).toMatchObject({ intact: 0, healed: 1 });
  });

  it('reports streams with too few replicas', async () => {
    const { look, lack, metrics } = setUp([INTACT, INTACT]);
    lack(['OPLOG', 'KV_KEYS']);
    expect((await look()).problems).toEqual([expect.stringMatching(/^fewer than 3 replicas .*: OPLOG, KV_KEYS$/)]);
    expect((await metrics.streamsUnderReplicated.get()).values).toMatchObject([{ value: 2 }]);
    lack([]);
    expect((await look()).problems).toEqual([]);
  });
});
