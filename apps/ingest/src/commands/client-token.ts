import type { ClientTokenUse } from '@cairn/contracts';

/** The name that an agent gave to a call of a tool, if there is one among the data of its command. */
export const clientTokenIn = (data: object, tool: string | undefined): ClientTokenUse | undefined =>
  tool !== undefined && 'clientToken' in data && typeof data.clientToken === 'string'
    ? { tool, token: data.clientToken }
    : undefined;
