import type { IncomingMessage } from 'node:http';
import { connect as connectTls } from 'node:tls';
import { fail, FETCH_CONNECT_TIMEOUT_MS, FETCH_REDIRECTS_MAX, FETCH_TIMEOUT_MS } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';
import { getOnce, type Connect, type Line } from './connection.js';
import { publicAddresses, resolveHost, type ResolveHost } from './public-address.js';
import { hostOf, publicUrl } from './public-url.js';
import { readableType, readBody, refuseStatus, type MediaType } from './response.js';

/** For tests, which replace the resolver and the connection. None of them bypasses a check. */
export interface FetchOptions {
  readonly resolve?: ResolveHost;
  readonly connect?: Connect;
  readonly connectTimeoutMs?: number;
  readonly timeoutMs?: number;
}

export interface FetchedFile extends MediaType {
  /** The requested address, normalised, without its fragment. */
  readonly url: string;
  readonly bytes: Uint8Array;
}

const REDIRECTS = [301, 302, 303, 307, 308];

const refused = (message: string): AppError => fail('url.refused', message, { field: 'url' });

/** The target of a redirect, if it is allowed: the same site, checked like the first address. */
const nextUrl = (from: URL, location: string | undefined): URL => {
  if (location === undefined || !URL.canParse(location, from.href)) throw refused('the page redirects to no valid url');
  const next = publicUrl(new URL(location, from).href);
  if (next.origin !== from.origin) throw refused('the page redirects to another site; give the url of its final page');
  return next;
};

/** The first answer that is not a redirect. The origin stays the same, so the checked addresses stay valid. */
const follow = async (start: URL, line: Line): Promise<IncomingMessage> => {
  let url = start;
  for (let redirects = 0; redirects <= FETCH_REDIRECTS_MAX; redirects++) {
    const response = await getOnce(url, line);
    if (!REDIRECTS.includes(response.statusCode ?? 0)) return response;
    response.destroy();
    url = nextUrl(url, response.headers.location);
  }
  throw refused(`the page redirects more than ${FETCH_REDIRECTS_MAX} times`);
};

const readResponse = async (response: IncomingMessage): Promise<MediaType & { readonly bytes: Uint8Array }> => {
  try {
    refuseStatus(response.statusCode ?? 0);
    return { ...readableType(response), bytes: await readBody(response) };
  } finally {
    response.destroy();
  }
};

/** Rejects when the time is up, also during a step that cannot be cancelled. */
const within = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  ]);

/** Cairn's error for a failure of the remote site, whose own message stays in `cause`. */
const failureOf = (thrown: unknown, signal: AbortSignal, timeoutMs: number): AppError => {
  if (thrown instanceof AppError) return thrown;
  const message = signal.aborted
    ? `the page did not arrive within ${timeoutMs / 1000} s`
    : 'the site gave no complete answer over https: its connection, its certificate or its data failed';
  return fail('url.unreachable', message, { field: 'url' }, thrown);
};

/** The page at a public https address, or an error that names the violated rule. */
export const fetchPublic = async (given: string, options: FetchOptions = {}): Promise<FetchedFile> => {
  const { resolve = resolveHost, connect = connectTls, timeoutMs = FETCH_TIMEOUT_MS } = options;
  const { connectTimeoutMs = FETCH_CONNECT_TIMEOUT_MS } = options;
  const url = publicUrl(given);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const addresses = await within(signal, publicAddresses(hostOf(url), resolve));
    const response = await follow(url, { addresses, connect, connectTimeoutMs, signal });
    return { url: url.href, ...(await readResponse(response)) };
  } catch (thrown) {
    throw failureOf(thrown, signal, timeoutMs);
  }
};
