import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../exit.js';
import type { GatewayEnv } from '../gateway-env.js';

export interface RestAddress {
  readonly url: string;
  readonly token: string;
  /** Identifies the server across restarts, which may change its port. */
  readonly server: string;
}

interface Given {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
}

const fileOf = (env: GatewayEnv, name: string, hint: string): string => {
  const file = join(env.CAIRN_HOME, name);
  if (!existsSync(file)) throw new UsageError(hint);
  return readFileSync(file, 'utf8').trim();
};

const checked = (url: string): string => {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`${url} is not an address: give something like http://127.0.0.1:7480`);
  return url.replace(/\/+$/, '');
};

/**
 * The address of the gateway: from the options, the environment, or the standalone that runs on this home, in that
 * order.
 */
export const gatewayUrl = (env: GatewayEnv, given: Given): string => {
  const url = given.url ?? env.CAIRN_URL;
  if (url !== undefined) return checked(url);
  const hint = `no Cairn runs on ${env.CAIRN_HOME}: start it with \`npm start\`, give --url, or set CAIRN_URL or CAIRN_HOME`;
  return (JSON.parse(fileOf(env, 'run.json', hint)) as { readonly url: string }).url;
};

/** The agent token that the standalone of this home has created. */
export const agentToken = (env: GatewayEnv): string =>
  fileOf(
    env,
    'agent-token',
    `no agent token in ${env.CAIRN_HOME}: give one with --token (\`cairn tokens issue\` makes one), or set CAIRN_HOME`,
  );

export const restAddress = (env: GatewayEnv, given: Given): RestAddress => {
  const token =
    given.token ??
    env.CAIRN_TOKEN ??
    fileOf(
      env,
      'admin-token',
      `no admin token in ${env.CAIRN_HOME}: start Cairn with \`npm start\`, give --token, or set CAIRN_TOKEN or CAIRN_HOME`,
    );
  const url = gatewayUrl(env, given);
  return { url, token, server: (given.url ?? env.CAIRN_URL) === undefined ? resolve(env.CAIRN_HOME) : url };
};
