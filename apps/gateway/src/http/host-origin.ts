import { fail } from '@cairn/contracts';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

const hostnameOf = (host: string): string | undefined => {
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return undefined;
  }
};

export const isLoopback = (host: string): boolean => [...LOOPBACK_NAMES, '::1'].includes(host);

/** Protects against DNS rebinding: a page whose own name was pointed here still sends that name as Host or Origin. */
export class HostOriginGuard {
  /** Undefined if the gateway is reachable from elsewhere, under names it cannot know. */
  private readonly hostnames: ReadonlySet<string> | undefined;
  private readonly origins: ReadonlySet<string>;

  constructor(boundHost: string, allowedOrigins: readonly string[]) {
    this.hostnames = isLoopback(boundHost) ? new Set([...LOOPBACK_NAMES, boundHost]) : undefined;
    this.origins = new Set(allowedOrigins.map((origin) => new URL(origin).origin));
  }

  checkHost(host: string | undefined): void {
    if (!this.hostnames) return;
    const name = host === undefined ? undefined : hostnameOf(host);
    if (name !== undefined && this.hostnames.has(name)) return;
    throw fail('host.refused', 'the Host header does not name this server', { field: 'Host' });
  }

  /**
   * A missing Origin passes, since only browsers send one. Our own origin is the one whose host the request was sent
   * to.
   */
  checkOrigin(origin: string | undefined, host: string | undefined): void {
    if (origin === undefined || this.origins.has(origin)) return;
    if (host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)) return;
    throw fail('origin.refused', 'requests from this Origin are not allowed', { field: 'Origin' });
  }
}
