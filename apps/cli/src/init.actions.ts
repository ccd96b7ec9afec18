import { ensureFirstWorkspace, issueAdminToken } from '@cairn/auth';
import { loadConfig } from '@cairn/kernel';
import { connectNats, natsAccess, Requester } from '@cairn/messaging';
import type { CommandContext } from './command-context.js';
import { cliEnv } from './connection.js';
import { EXIT, UsageError } from './exit.js';

export const initAction = async (
  { env, out, exit }: CommandContext,
  { newToken }: { readonly newToken?: boolean },
): Promise<void> => {
  const settings = loadConfig(cliEnv, env);
  const { NATS_URL } = settings;
  if (NATS_URL === undefined) throw new UsageError('set NATS_URL: the cluster to initialise');
  const nats = await connectNats(natsAccess({ ...settings, NATS_URL }), 'cli');
  try {
    const requester = new Requester(nats);
    const first = await ensureFirstWorkspace(requester, { keepToken: () => undefined });
    if (first.isNew) out(first.token);
    else if (newToken) out(await issueAdminToken(requester));
    else out('there is a workspace already; nothing was changed (--new-token issues a further admin token)');
    exit(EXIT.ok);
  } finally {
    await nats.close();
  }
};
