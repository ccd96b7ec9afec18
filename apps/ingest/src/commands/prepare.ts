import { laneOf, type CommandData, type CommandResult, type LoggedCommandType } from '@cairn/contracts';
import { canonicalJson } from '@cairn/op-log';
import { databaseError } from '@cairn/persistence';
import type { InstanceSecrets } from '@cairn/vault';
import { clientTokenIn } from './client-token.js';
import { COMMAND_TABLE } from './command-table.js';
import type { Command, CommandRequest, PrepareContext } from './command.js';
import type { PreparedCommand } from './prepared-command.js';

/** Names the call and is not part of its content. */
const CLIENT_TOKEN = 'clientToken';

/**
 * Covers everything that a command asks for, including its type: another command under the same id has another hash.
 */
export const payloadHashOf = <T extends LoggedCommandType>(
  secrets: InstanceSecrets,
  workspaceId: string,
  type: T,
  data: CommandData<T>,
): string => {
  const { generatedFields = [] }: Command<T> = COMMAND_TABLE[type];
  const leftOut: readonly PropertyKey[] = [CLIENT_TOKEN, ...generatedFields];
  const asked = Object.fromEntries(Object.entries(data).filter(([field]) => !leftOut.includes(field)));
  return secrets.payloadHash(workspaceId, canonicalJson([type, asked]));
};

/** Adds the parts that all commands have in common to a command's own part. */
export const prepare = async <T extends LoggedCommandType>(
  type: T,
  request: CommandRequest<CommandData<T>>,
  context: PrepareContext,
): Promise<PreparedCommand<CommandResult<T>>> => {
  const { id, sentAs, correlationId, principal, data } = request;
  const command: Command<T> = COMMAND_TABLE[type];
  const own = await command.prepare(request, context);
  return {
    lane: laneOf(type, principal.workspaceId),
    id,
    sentAs,
    correlationId,
    principal,
    payloadHash: payloadHashOf(context.secrets, principal.workspaceId, type, data),
    clientToken: clientTokenIn(data, command.clientTokenOf),
    ...own,
    answer: async (carried) => {
      try {
        return await own.answer(carried);
      } catch (thrown) {
        throw databaseError(thrown);
      }
    },
  };
};
