import { parseToken, type ParsedToken } from '@cairn/auth';
import { fail, SYSTEM_TOKEN_ID, systemPrincipal, type ResolvedToken } from '@cairn/contracts';
import { uuidV7, type Clock } from '@cairn/kernel';
import type { Requester } from '@cairn/messaging';
import { LRUCache } from 'lru-cache';
import { FailedAuthLimit } from './failed-auth-limit.js';

/**
 * A revoked token is rejected everywhere within two seconds. Ingest notifies every gateway at once; if that message is
 * lost, the delay is this second plus a slow lookup.
 */
const RESOLVED_LIFE_MS = 1_000;
const RESOLVED_MAX = 5_000;
const ENDED_MAX = 10_000;
/** How long a valid token is still accepted while another caller floods its address with invalid ones. */
const KNOWN_GOOD_LIFE_MS = 600_000;

const BEARER = /^Bearer +(\S+) *$/i;

/** The token of an Authorization header as it was sent, valid or not. */
export const bearerOf = (header: string | undefined): string => BEARER.exec(header ?? '')?.[1] ?? '';

/** One wording for unknown, revoked and expired tokens, so a guess learns nothing. */
export const invalidToken = () => fail('auth.invalid', 'the access token is not valid');

/**
 * Resolves an Authorization header to a principal with its cap and its expiry. Garbage is rejected without a lookup;
 * repeats are answered from a cache.
 */
export class Authenticator {
  private readonly resolved: LRUCache<string, Promise<ResolvedToken | null>>;
  private readonly knownGood: LRUCache<string, true>;
  /** Kept apart from the lookups, because one may have been in progress when its token was revoked. */
  private readonly ended = new LRUCache<string, true>({ max: ENDED_MAX });
  private readonly failures: FailedAuthLimit;

  constructor(
    private readonly requester: Pick<Requester, 'query'>,
    private readonly clock: Clock,
    onFlood: () => void = () => undefined,
  ) {
    const perf = { now: () => clock.now() };
    this.resolved = new LRUCache({ max: RESOLVED_MAX, ttl: RESOLVED_LIFE_MS, ttlResolution: 0, perf });
    this.knownGood = new LRUCache({ max: RESOLVED_MAX, ttl: KNOWN_GOOD_LIFE_MS, ttlResolution: 0, perf });
    this.failures = new FailedAuthLimit(clock, onFlood);
  }

  async authenticate(header: string | undefined, address: string, correlationId: string): Promise<ResolvedToken> {
    const token = parseToken(bearerOf(header));
    const key = token ? `${token.tokenId}:${token.secretHash}` : '';
    if (!this.knownGood.has(key)) this.failures.check(address);
    const found = token ? await this.resolve(token, key, correlationId) : null;
    if (!found || this.hasEnded(found.principal.tokenId) || Date.parse(found.expiresAt) <= this.clock.now()) {
      this.failures.count(address);
      throw header
        ? invalidToken()
        : fail('auth.missing', 'an access token is required: Authorization: Bearer cairn_…');
    }
    this.knownGood.set(key, true);
    return found;
  }

  /**
   * For callers without a token: an address that has failed too often is rejected at once. Every failure counts,
   * including a body that cannot be read, so the number of guesses and of bodies to parse is bounded.
   */
  async attempt<T>(address: string, work: () => Promise<T>): Promise<T> {
    this.failures.check(address);
    try {
      return await work();
    } catch (thrown) {
      this.failures.count(address);
      throw thrown;
    }
  }

  /** Rejects the token from now on, regardless of earlier lookups. */
  end(tokenId: string): void {
    this.ended.set(tokenId, true);
  }

  /** For code that acts on a principal some time after it was authenticated. */
  hasEnded(tokenId: string): boolean {
    return this.ended.has(tokenId);
  }

  private resolve(token: ParsedToken, key: string, correlationId: string): Promise<ResolvedToken | null> {
    const cached = this.resolved.get(key);
    if (cached) return cached;
    const principal = systemPrincipal(SYSTEM_TOKEN_ID);
    const asked = this.requester.query('token.resolve', token, { principal, correlationId, id: uuidV7() });
    this.resolved.set(key, asked);
    // A failed lookup says nothing about the token, so the next request looks it up again.
    asked.catch(() => this.resolved.delete(key));
    return asked;
  }
}
