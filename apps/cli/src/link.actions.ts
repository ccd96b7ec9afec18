import { randomUUID } from 'node:crypto';
import { printReport, type CommandContext } from './command-context.js';
import { EXIT } from './exit.js';
import { adminClient, type GatewayOptions } from './rest/admin-client.js';

interface SignInCode {
  readonly code: string;
  readonly expiresAt: string;
}

/** The code is in the fragment, which a browser does not send, so it reaches no access log and no Referer header. */
export const linkAction = async (context: CommandContext, options: GatewayOptions): Promise<void> => {
  const { client, url } = await adminClient(context, options);
  const { code, expiresAt } = await client.postJson<SignInCode>('/sign-in-codes', {}, randomUUID());
  const link = `${url}/#code=${code}`;
  printReport(context, options.json, { link, expiresAt }, [
    link,
    `Opens the console, signed in with this admin token. Works once, until ${expiresAt}.`,
  ]);
  context.exit(EXIT.ok);
};
