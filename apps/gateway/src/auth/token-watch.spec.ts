import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fail, systemPrincipal, TOKENS_PER_CHECK_MAX, type QueryData, type ResolvedToken } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { TokenWatch, UNCHECKED_MAX_MS } from './token-watch.js';

let now = 1_800_000_000_000;
let asked: QueryData<'tokens.ended'>[];
let ended: Set<string>;
let isUnavailable: boolean;
let watch: TokenWatch;

const query = async (_: string, data: QueryData<'tokens.ended'>) => {
  asked.push(data);
  if (isUnavailable) throw fail('service.timeout', 'late');
  return { tokenIds: data.tokenIds.filter((id) => ended.has(id)) };
};

const aToken = (lifeMs = 3_600_000): ResolvedToken => ({
  principal: { ...systemPrincipal(uuidV7()), tokenId: uuidV7() },
  expiresAt: new Date(now + lifeMs).toISOString(),
  rateLimitPerHour: null,
});

const held = (token: ResolvedToken) => {
  const state = { cuts: 0, release: (): void => undefined };
  state.release = watch.hold(token, () => void state.cuts++);
  return state;
};

beforeEach(() => {
  [asked, ended, isUnavailable] = [[], new Set(), false];
  watch = new TokenWatch({ query } as never, { now: () => now });
});
afterEach(() => watch.close());

describe('TokenWatch', () => {
  it('cuts everything that a revoked token holds open, once, and nothing of another token', async () => {
    const [token, other] = [aToken(), aToken()];
    const streams = [held(token), held(token), held(other)];
    watch.end(token.principal.tokenId);
    watch.end(token.principal.tokenId);
    await watch.check();
    expect(streams.map(({ cuts }) => cuts)).toEqual([1, 1, 0]);
    expect(asked).toEqual([{ tokenIds: [other.principal.tokenId] }]);
  });

  it('does not cut connections that were released before', async () => {
    const token = aToken();
    const [gone, open] = [held(token), held(token)];
    gone.release();
    watch.end(token.principal.tokenId);
    expect([gone.cuts, open.cuts]).toEqual([0, 1]);
    open.release();
    await watch.check();
    expect(asked).toEqual([]);
  });

  it('detects a revoked token by itself when the revocation message is lost', async () => {
    const [token, other] = [aToken(), aToken()];
    const streams = [held(token), held(other)];
    ended.add(token.principal.tokenId);
    await watch.check();
    expect(streams.map(({ cuts }) => cuts)).toEqual([1, 0]);
  });

  it('cuts when the token expires, without a lookup', async () => {
    const stream = held(aToken(5_000));
    now += 4_999;
    await watch.check();
    expect(stream.cuts).toBe(0);
    now += 1;
    asked = [];
    await watch.check();
    expect([stream.cuts, asked]).toEqual([1, []]);
  });

  it('notifies its listeners of every token that ended, whether it held a stream or not', () => {
    const notified: string[] = [];
    watch.onEnd((tokenId) => notified.push(tokenId));
    const token = aToken();
    held(token);
    watch.end(token.principal.tokenId);
    watch.end('never seen');
    expect(notified).toEqual([token.principal.tokenId, 'never seen']);
  });

  it('trusts a token for ten seconds while the lookup is unavailable, then cuts its streams without reporting it as revoked', async () => {
    const notified: string[] = [];
    watch.onEnd((tokenId) => notified.push(tokenId));
    const token = aToken();
    const stream = held(token);
    isUnavailable = true;
    now += UNCHECKED_MAX_MS;
    await watch.check();
    expect(stream.cuts).toBe(0);
    const fresh = held(token);
    now += UNCHECKED_MAX_MS;
    await watch.check();
    expect([stream.cuts, fresh.cuts]).toEqual([0, 0]);
    now += 1;
    await watch.check();
    expect([stream.cuts, fresh.cuts, notified]).toEqual([1, 1, []]);
  });

  it('checks any number of tokens in a few requests', async () => {
    for (let i = 0; i <= TOKENS_PER_CHECK_MAX; i++) held(aToken());
    await watch.check();
    expect(asked.map(({ tokenIds }) => tokenIds.length)).toEqual([TOKENS_PER_CHECK_MAX, 1]);
  });
});
