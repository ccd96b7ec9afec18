import { ensureFirstWorkspace } from '@cairn/auth';
import { connectNats, Requester } from '@cairn/messaging';
import { Command } from 'commander';
import type { CliEnv } from './connection.js';
import { EXIT, UsageError } from './exit.js';
import type { CommandContext } from './oplog/oplog.commands.js';

/** The first workspace of a cluster; the standalone profile does this by itself. */
export const initCommand = (env: CliEnv, { out, exit }: CommandContext): Command =>
  new Command('init').description('create the first workspace and print its admin token, once').action(async () => {
    if (env.NATS_URL === undefined) throw new UsageError('set NATS_URL: the cluster to initialise');
    const nats = await connectNats(env.NATS_URL, 'cairn-cli');
    try {
      const first = await ensureFirstWorkspace(new Requester(nats), { keepToken: () => undefined });
      out(first.isNew ? first.token : 'there is a workspace already; nothing was changed');
      exit(EXIT.ok);
    } finally {
      await nats.close();
    }
  });
