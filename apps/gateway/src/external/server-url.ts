import { isIP } from 'node:net';
import { fail } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';
import { checkOrigin, isPublicAddress } from '@cairn/web-fetch';

export interface OwnAddress {
  readonly host: string;
  readonly port: number;
  /** Other origins under which browsers reach this gateway. */
  readonly origins: readonly string[];
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|\[::\]|0\.0\.0\.0)$/;

const isOwn = ({ hostname, port, protocol, origin }: URL, own: OwnAddress): boolean => {
  if (own.origins.includes(origin)) return true;
  const effective = Number(port || (protocol === 'https:' ? 443 : 80));
  if (effective !== own.port) return false;
  return LOOPBACK.test(hostname) || hostname === own.host || hostname === `[${own.host}]`;
};

const refused = (message: string): AppError => fail('server.url_refused', message, { field: 'url' });

const HOW_TO_ALLOW = 'an operator can allow an origin on this machine or network with CAIRN_MCP_LOCAL_ORIGINS';

/**
 * Rejects addresses that an external server may not have: those of this gateway itself, whose tools would then list
 * themselves, and private or unencrypted ones that the operator has not listed. Names are resolved later, with each
 * connection.
 */
export const serverUrlCheck =
  (localOrigins: readonly string[], own: () => OwnAddress | undefined) =>
  (given: string): void => {
    const url = new URL(given);
    const self = own();
    if (self && isOwn(url, self)) throw refused('url must not lead to this server itself');
    try {
      checkOrigin(url, localOrigins);
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      throw refused(`${thrown.message}; ${HOW_TO_ALLOW}`);
    }
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !localOrigins.includes(url.origin) && !isPublicAddress(host))
      throw refused(`url must lead to a public site; ${HOW_TO_ALLOW}`);
  };
