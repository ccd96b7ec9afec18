import { z } from 'zod';

/** What a command reads of the environment that speaks to the gateway only: where it is, and who asks. */
export const gatewayEnv = z.object({
  CAIRN_HOME: z.string().default('./.cairn'),
  CAIRN_URL: z.string().optional().describe('Address of the gateway; unset means the Cairn that runs on CAIRN_HOME'),
  CAIRN_TOKEN: z
    .string()
    .optional()
    .describe('Access token for the gateway (secret); unset means the admin token of CAIRN_HOME'),
});
export type GatewayEnv = z.infer<typeof gatewayEnv>;
