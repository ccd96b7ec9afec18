import { ensureFirstWorkspace, issueAdminToken } from '@cairn/auth';
import { connectNats, Requester } from '@cairn/messaging';
import { Command } from 'commander';
import type { CliEnv } from './connection.js';
import { EXIT, UsageError } from './exit.js';
import type { CommandContext } from './oplog/oplog.commands.js';

/** The first workspace of a cluster; the standalone profile does this by itself. */
export const initCommand = (env: CliEnv, { out, exit }: CommandContext): Command =>
  new Command('init')
    .description('create the first workspace and print its admin token, once')
    .option('--new-token', 'where there is a workspace already: issue and print a further admin token')
    .action(async ({ newToken }: { readonly newToken?: boolean }) => {
      if (env.NATS_URL === undefined) throw new UsageError('set NATS_URL: the cluster to initialise');
      const nats = await connectNats(env.NATS_URL, 'cairn-cli');
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
    });
