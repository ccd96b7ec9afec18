import { setTimeout as delay } from 'node:timers/promises';
import { RefusedError, UsageError } from '../exit.js';
import type { RestAddress } from './rest-address.js';

/** The server rejected the request; a retry would not help. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefusedError';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The token is valid but lacks the scope that the request needs. */
export class ScopeMissing extends UsageError {
  constructor(
    readonly scope: 'read' | 'write' | 'admin',
    url: string,
  ) {
    super(
      `the token lacks the scope ${scope} at ${url}: an admin can issue one that has it in the console under Tokens, ` +
        'or with POST /api/v1/tokens',
    );
  }
}

/** The server answered none of the attempts. */
export class ServerUnavailable extends Error {
  override readonly name = 'ServerUnavailable';
}

interface ErrorBody {
  readonly error?: { readonly code: string; readonly message: string };
}

const ATTEMPTS_MAX = 10;
const WAIT_MS_FIRST = 250;
const WAIT_MS_MAX = 10_000;
const REQUEST_TIMEOUT_MS = 120_000;
const FIRST_TIMEOUT_MS = 10_000;
const TOO_MANY_REQUESTS = 429;
/** The server is too busy or still starting, or a proxy cannot reach it. */
const RETRIED = [TOO_MANY_REQUESTS, 502, 503, 504];

/** Whether the same request may succeed later. */
const isRetried = (status: number): boolean => RETRIED.includes(status);

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  UND_ERR_SOCKET: 'connection closed',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  ETIMEDOUT: 'no answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'no answer in time',
};

/** The error of `fetch` says little; the reason is in its cause. */
const reasonOf = (thrown: Error): string => {
  if (thrown.name === 'TimeoutError') return 'no answer in time';
  const { code, message } = (thrown.cause ?? thrown) as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? (message || code || 'unknown');
};

const waitMs = (failed: number, afterSec: number): number =>
  Math.max(Math.min(WAIT_MS_FIRST * 2 ** Math.max(0, failed - 1), WAIT_MS_MAX), 1_000 * afterSec);

const retryAfterSec = (answer: Response | undefined): number => Number(answer?.headers.get('retry-after')) || 0;

/** The server works and states when it will accept the request, so this does not count as a failed attempt. */
const namesTheTime = (answer: Response | undefined): boolean =>
  answer?.status === TOO_MANY_REQUESTS && retryAfterSec(answer) > 0;

/** A pause that a person would notice comes with the time of its end. */
const pauseText = (problem: string, ms: number): string =>
  ms <= WAIT_MS_MAX ? problem : `${problem}, next attempt at ${new Date(Date.now() + ms).toLocaleTimeString('en-GB')}`;

/**
 * Sends requests to the gateway and retries while that can help. Every attempt sends the same body, so writes need a
 * key.
 */
export class RestClient {
  /** An address that has never answered is more likely wrong than busy, so it is not retried. */
  private hasAnswered = false;
  private waitsFor: string | undefined;

  constructor(
    private readonly address: Pick<RestAddress, 'url' | 'token'>,
    private readonly signal: AbortSignal,
  ) {}

  /** What the client is waiting for, and why, while it retries. */
  get waiting(): string | undefined {
    return this.waitsFor;
  }

  get<T>(path: string): Promise<T> {
    return this.send<T>('GET', path, {});
  }

  post<T>(path: string, form: FormData, idempotencyKey: string): Promise<T> {
    return this.send<T>('POST', path, { body: form, headers: { 'idempotency-key': idempotencyKey } });
  }

  postJson<T>(path: string, body: object, idempotencyKey: string): Promise<T> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
    return this.send<T>('POST', path, { body: JSON.stringify(body), headers });
  }

  /** JSON whose parts have keys of their own. */
  postParts<T>(path: string, json: string): Promise<T> {
    return this.send<T>('POST', path, { body: json, headers: { 'content-type': 'application/json' } });
  }

  /** A write that has no effect the second time, so it needs no key. */
  run<T>(path: string): Promise<T> {
    return this.send<T>('POST', path, {});
  }

  async delete(path: string): Promise<void> {
    await this.send('DELETE', path, {});
  }

  /** All entries of a list, read page by page. */
  async list<T>(path: string): Promise<T[]> {
    const items: T[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: Page<T> = await this.get<Page<T>>(`${path}?limit=100${from}`);
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    return items;
  }

  scopeMissing(scope: ScopeMissing['scope']): ScopeMissing {
    return new ScopeMissing(scope, this.address.url);
  }

  private async send<T>(method: string, path: string, { body, headers }: Request): Promise<T> {
    for (let failed = 0; ;) {
      const { answer, reason } = await this.once(method, path, { ...(body && { body }), headers: headers ?? {} });
      if (answer && !isRetried(answer.status)) {
        this.waitsFor = undefined;
        return this.read<T>(method, answer);
      }
      const problem = answer ? `it answers ${answer.status}` : reason;
      if (!this.hasAnswered)
        throw new RefusedError(`${this.address.url} is out of reach: ${problem}; is Cairn running?`);
      await answer?.body?.cancel();
      if (!namesTheTime(answer)) failed++;
      await this.pause(problem, failed, retryAfterSec(answer));
    }
  }

  /** Waits before the next attempt. Throws if too many have failed. */
  async pause(problem: string, failed: number, afterSec = 0): Promise<void> {
    const { url } = this.address;
    if (failed >= ATTEMPTS_MAX) throw new ServerUnavailable(`${url} is out of reach: ${problem}`);
    const ms = waitMs(failed, afterSec);
    this.waitsFor = `${url}: ${pauseText(problem, ms)}`;
    await delay(ms, undefined, { signal: this.signal });
  }

  private async once(method: string, path: string, { body, headers }: Request) {
    const timeoutMs = this.hasAnswered ? REQUEST_TIMEOUT_MS : FIRST_TIMEOUT_MS;
    try {
      const answer = await fetch(`${this.address.url}/api/v1${path}`, {
        method,
        headers: { ...headers, authorization: `Bearer ${this.address.token}` },
        ...(body && { body }),
        signal: AbortSignal.any([this.signal, AbortSignal.timeout(timeoutMs)]),
      });
      this.hasAnswered = true;
      return { answer, reason: '' };
    } catch (thrown) {
      this.signal.throwIfAborted();
      return { answer: undefined, reason: reasonOf(thrown as Error) };
    }
  }

  private async read<T>(method: string, answer: Response): Promise<T> {
    if (answer.status === 204) return undefined as T;
    if (answer.ok) return (await answer.json()) as T;
    const { error } = (await answer.json().catch(() => ({}))) as ErrorBody;
    const message = error?.message ?? `the server answers ${answer.status}`;
    const { url } = this.address;
    if (answer.status === 401) throw new UsageError(`the access token is not valid: ${url} does not know it`);
    // A route outside a token's scopes is "not found" for that token, so the answer does not name the missing scope.
    if (error?.code === 'route.not_found') throw this.scopeMissing(method === 'GET' ? 'read' : 'write');
    throw new RequestRefused(error?.code ?? String(answer.status), message);
  }
}

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

interface Request {
  readonly body?: FormData | string;
  readonly headers?: Record<string, string>;
}
