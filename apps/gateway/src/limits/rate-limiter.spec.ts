import { beforeEach, describe, expect, it } from '@jest/globals';
import { fail, REST_PER_HOUR_DEFAULT, systemPrincipal } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { createMetrics, METRIC_NAMES, type Metrics } from '@cairn/observability';
import { callCharges, restCharges, type Charge } from './charge.js';
import { InMemoryRateCounter } from './rate-counter.fake.js';
import { RateLimiter, type Order } from './rate-limiter.js';

const HOUR_MS = 3_600_000;
const HOUR_START = 500_000 * HOUR_MS;

let now: number;
let alarms: number;
let worked: number;
let counter: InMemoryRateCounter;
let metrics: Metrics;
let limiter: RateLimiter;

beforeEach(() => {
  now = HOUR_START;
  alarms = worked = 0;
  counter = new InMemoryRateCounter();
  metrics = createMetrics();
  limiter = limiterOn(counter);
});

const limiterOn = (on: InMemoryRateCounter) =>
  new RateLimiter(on, { now: () => now }, { error: () => void alarms++ } as never, metrics);

const charge = (cap: number, bucket = 'calls', tokenId = uuidV7()): Charge => ({
  tokenId,
  bucket,
  cap,
  allowed: `${cap} calls`,
});

const work = async () => ++worked;

const call = (charges: readonly Charge[], order: Order = 'before', on = limiter): Promise<string> =>
  on.guard(charges, order, work).then(
    () => 'ok',
    (error: { code: string }) => error.code,
  );

const passed = async (times: number, charges: readonly Charge[], order: Order = 'before', on = limiter) => {
  const answers: string[] = [];
  for (let i = 0; i < times; i++) answers.push(await call(charges, order, on));
  return answers.filter((answer) => answer === 'ok').length;
};

const metric = async (name: string): Promise<unknown> => (await metrics.registry.getSingleMetric(name)!.get()).values;

describe('RateLimiter', () => {
  it.each(['before', 'beside'] as const)(
    '[G-05] lets exactly the cap through in an hour, counting %s the work',
    async (order) => {
      const own = charge(10);
      expect(await passed(15, [own], order)).toBe(10);
      expect(await call([charge(10)], order)).toBe('ok');
    },
  );

  it('lets exactly the cap through when all come at once, over two replicas', async () => {
    const own = charge(50);
    const other = limiterOn(counter);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => call([own], 'beside', i % 2 ? limiter : other)),
    );
    expect(answers.filter((answer) => answer === 'ok')).toHaveLength(50);
  });

  it('[G-33] reports the seconds until the hour ends, and a call after that time passes', async () => {
    const own = charge(1);
    now = HOUR_START + 1_234_567;
    await call([own]);
    const refusal = (await limiter.guard([own], 'before', work).catch((error: unknown) => error)) as any;
    expect(refusal).toMatchObject({ code: 'rate_limited', details: { limit: 1, retryAfterSec: 2366 } });
    expect(refusal.message).toContain('1 calls per hour; try again in 2366 s');
    now += 2365_000;
    expect(await call([own])).toBe('rate_limited');
    now += 1_000;
    expect(await call([own])).toBe('ok');
  });

  it('never reports less than one second', async () => {
    const own = charge(1);
    now = HOUR_START + HOUR_MS - 1;
    await call([own]);
    const refusal = limiter.guard([own], 'before', work);
    await expect(refusal).rejects.toMatchObject({ details: { retryAfterSec: 1 } });
  });

  it('does not execute a rejected write, and discards the result of a rejected read', async () => {
    const own = charge(1);
    await counter.add({ tokenId: own.tokenId, bucket: own.bucket, hour: HOUR_START / HOUR_MS }, 1);
    expect(await call([own], 'before')).toBe('rate_limited');
    expect(worked).toBe(0);
    const fresh = limiterOn(counter);
    expect(await call([own], 'beside', fresh)).toBe('rate_limited');
    expect(worked).toBe(1);
  });

  it('answers from memory once the hourly limit is used up, without counting or executing', async () => {
    const own = charge(2);
    await passed(2, [own], 'beside');
    const before = { asked: counter.asked, worked };
    expect(await passed(100, [own], 'beside')).toBe(0);
    expect({ asked: counter.asked, worked }).toEqual(before);
  });

  it('grants the first of several calls up to the cap, and refuses the others with the seconds to wait', async () => {
    const own = charge(10);
    expect(await call([own])).toBe('ok');
    expect(await limiter.chargeMore([own], 5)).toEqual({ granted: 5 });
    const { granted, refusal } = await limiter.chargeMore([own], 7);
    expect([granted, refusal?.details]).toEqual([4, { limit: 10, retryAfterSec: 3600 }]);
    expect(await limiter.chargeMore([own], 7)).toMatchObject({ granted: 0, refusal: { code: 'rate_limited' } });
    expect(await metric(METRIC_NAMES.rateLimited)).toEqual([{ labels: { bucket: 'calls' }, value: 10 }]);
    expect(await call([own])).toBe('rate_limited');
  });

  it('grants no more of several calls than the smallest of several caps', async () => {
    const own = charge(10);
    expect(await limiter.chargeMore([own, { ...own, bucket: 'rest', cap: 3 }], 8)).toMatchObject({
      granted: 3,
      refusal: { details: { limit: 3 } },
    });
    expect(await limiter.chargeMore([], 8)).toEqual({ granted: 8 });
    expect(await limiter.chargeMore([own], 0)).toEqual({ granted: 0 });
  });

  it('costs nothing without a cap', async () => {
    expect(await passed(5, [])).toBe(5);
    expect(counter.asked).toBe(0);
  });

  it('counts a call that fails, and passes its error on', async () => {
    const own = charge(2);
    const broken = () => limiter.guard([own], 'beside', () => Promise.reject(fail('input.invalid', 'no')));
    await expect(broken()).rejects.toMatchObject({ code: 'input.invalid' });
    await expect(broken()).rejects.toMatchObject({ code: 'input.invalid' });
    await expect(broken()).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('rejects a call that exceeds any one of several caps', async () => {
    const own = charge(10);
    const tool = { ...own, bucket: 'add_to_knowledge', cap: 3 };
    expect(await passed(5, [own, tool])).toBe(3);
    expect(await passed(10, [own])).toBe(7);
    expect(await metric(METRIC_NAMES.rateLimited)).toEqual(
      expect.arrayContaining([{ labels: { bucket: 'add_to_knowledge' }, value: 2 }]),
    );
  });
});

describe('RateLimiter without its counter', () => {
  it('allows half of the cap, at least one call, and no more', async () => {
    counter.isUnavailable = true;
    expect(await passed(20, [charge(10)])).toBe(5);
    expect(await passed(20, [charge(1)], 'beside')).toBe(1);
  });

  it('grants several calls up to half of the cap, and adds them to the counter later', async () => {
    const own = charge(10);
    counter.isUnavailable = true;
    expect(await limiter.chargeMore([own], 8)).toMatchObject({ granted: 5, refusal: { code: 'rate_limited' } });
    counter.isUnavailable = false;
    now += 1_000;
    expect(await limiter.chargeMore([own], 8)).toMatchObject({ granted: 5 });
  });

  it('never allows more than the last known remainder', async () => {
    const own = charge(10);
    await passed(8, [own]);
    counter.isUnavailable = true;
    expect(await passed(20, [own])).toBe(2);
  });

  it('adds the calls it allowed to the counter once it is available again', async () => {
    const own = charge(10);
    counter.isUnavailable = true;
    await passed(5, [own]);
    counter.isUnavailable = false;
    now += 1_000;
    expect(await passed(20, [own])).toBe(5);
  });

  it('tries the counter again after a second, not for every call', async () => {
    counter.isUnavailable = true;
    await passed(10, [charge(100)]);
    expect(counter.asked).toBe(1);
    now += 1_000;
    await passed(10, [charge(100)]);
    expect(counter.asked).toBe(2);
  });

  it('raises an alarm once a minute and counts every call in a metric', async () => {
    counter.isUnavailable = true;
    for (let second = 0; second < 60; second++, now += 1_000) await call([charge(100)]);
    expect(alarms).toBe(1);
    await call([charge(100)]);
    expect(alarms).toBe(2);
    expect(await metric(METRIC_NAMES.rateCounterUnavailable)).toEqual([{ labels: {}, value: 61 }]);
  });
});

describe('the buckets of a call', () => {
  const caller = { principal: systemPrincipal(uuidV7()), rateLimitPerHour: 7, correlationId: 'c' };

  it('are one for all tools, and one more for a tool with its own cap', () => {
    expect(callCharges(caller)).toMatchObject([{ bucket: 'calls', cap: 7 }]);
    expect(callCharges(caller, { name: 'add_to_knowledge', callsPerHour: 60 })).toMatchObject([
      { bucket: 'calls', cap: 7 },
      { bucket: 'add_to_knowledge', cap: 60 },
    ]);
    expect(callCharges({ ...caller, rateLimitPerHour: null })).toEqual([]);
    expect(callCharges({ ...caller, rateLimitPerHour: 1 })).toMatchObject([{ allowed: '1 call' }]);
  });

  it('are a separate one for REST, whatever the token may call', () => {
    const principal = { ...caller.principal, scopes: ['write' as const] };
    expect(restCharges({ principal })).toMatchObject([{ bucket: 'rest', cap: REST_PER_HOUR_DEFAULT }]);
  });

  it('are none for a REST request of an admin token', () => {
    expect(restCharges({ principal: { ...caller.principal, scopes: ['admin'] } })).toEqual([]);
  });

  it('follow the REST limit that a token was issued with', () => {
    const writer = { ...caller.principal, scopes: ['write' as const] };
    const admin = { ...caller.principal, scopes: ['admin' as const] };
    expect(restCharges({ principal: writer, restLimitPerHour: null })).toEqual([]);
    expect(restCharges({ principal: admin, restLimitPerHour: 1 })).toMatchObject([
      { bucket: 'rest', cap: 1, allowed: '1 REST request' },
    ]);
  });
});
