import { loadConfig } from '@cairn/kernel';
import type { CommandContext } from '../command-context.js';
import { gatewayEnv } from '../gateway-env.js';
import { restAddress } from './rest-address.js';
import { RestClient } from './rest-client.js';

export interface GatewayOptions {
  readonly url?: string;
  readonly token?: string;
  readonly json?: boolean;
}

/**
 * A client with an admin token. The scope is checked first: the gateway answers "not found" for a route outside a
 * token's scopes and does not name the missing scope.
 */
export const adminClient = async (
  { env }: CommandContext,
  options: GatewayOptions,
): Promise<{ readonly client: RestClient; readonly url: string }> => {
  const address = restAddress(loadConfig(gatewayEnv, env), options);
  const client = new RestClient(address, new AbortController().signal);
  const { isAdmin } = await client.get<{ readonly isAdmin: boolean }>('/whoami');
  if (!isAdmin) throw client.scopeMissing('admin');
  return { client, url: address.url };
};
