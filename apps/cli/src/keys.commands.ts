import { Command } from 'commander';
import type { CommandContext } from './command-context.js';

export const keysCommand = (context: CommandContext): Command =>
  new Command('keys')
    .description('the key-encryption key of a standalone home')
    .addCommand(
      new Command('rotate')
        .description('replace it: the next start rewraps all keys and destroys the old one')
        .action(async () => (await import('./keys.actions.js')).rotateAction(context)),
    );
