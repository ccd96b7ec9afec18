import type { ClientTokenUse } from '@cairn/contracts';

/** The name that an agent gave to a tool call, if the data of its command contains one. */
export const clientTokenIn = (data: object, tool: string | undefined): ClientTokenUse | undefined =>
  tool !== undefined && 'clientToken' in data && typeof data.clientToken === 'string'
    ? { tool, token: data.clientToken }
    : undefined;
