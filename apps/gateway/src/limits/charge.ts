import { plural, restLimitOf, type ResolvedToken } from '@cairn/contracts';
import type { Tool } from '@cairn/mcp-tools';
import type { Caller } from '../cairn/cairn-client.js';

/** One call, charged to one bucket of its token. */
export interface Charge {
  readonly tokenId: string;
  readonly bucket: string;
  readonly cap: number;
  /** The token's hourly allowance, as the error states it. */
  readonly allowed: string;
}

/**
 * Every `tools/call` and `resources/read` counts against the token's own cap, and against the tool's cap if it has one.
 */
export const callCharges = (caller: Caller, tool?: Pick<Tool, 'name' | 'callsPerHour'>): readonly Charge[] => {
  const { rateLimitPerHour, principal } = caller;
  const { tokenId } = principal;
  const charges: Charge[] = [];
  if (rateLimitPerHour !== null)
    charges.push({ tokenId, bucket: 'calls', cap: rateLimitPerHour, allowed: plural(rateLimitPerHour, 'call') });
  if (tool?.callsPerHour !== undefined) {
    charges.push({
      tokenId,
      bucket: tool.name,
      cap: tool.callsPerHour,
      allowed: `${plural(tool.callsPerHour, 'call')} of ${tool.name}`,
    });
  }
  return charges;
};

/** A token without a cap, as admin tokens are by default, may import more files than any hourly cap allows. */
export const restCharges = ({
  principal,
  restLimitPerHour,
}: Pick<ResolvedToken, 'principal' | 'restLimitPerHour'>): readonly Charge[] => {
  const { tokenId, scopes } = principal;
  const cap = restLimitOf({ restLimitPerHour, scopes });
  if (cap === null) return [];
  return [{ tokenId, bucket: 'rest', cap, allowed: plural(cap, 'REST request') }];
};
