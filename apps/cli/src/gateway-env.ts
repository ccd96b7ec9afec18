import { z } from 'zod';

/** The variables of a command that calls only the gateway: its address and the access token. */
export const gatewayEnv = z.object({
  CAIRN_HOME: z.string().default('./.cairn'),
  CAIRN_URL: z.string().optional().describe('Address of the gateway; unset means the Cairn that runs on CAIRN_HOME'),
  CAIRN_TOKEN: z
    .string()
    .optional()
    .describe('Access token for the gateway (secret); unset means the admin token of CAIRN_HOME'),
});
export type GatewayEnv = z.infer<typeof gatewayEnv>;
