import { fail, type CommandData, type CommandResult, type LoggedCommandType } from '@cairn/contracts';
import type { ParsedRequest } from '@cairn/messaging';
import type { ProjectionRunner } from '../projections/projection-runner.js';
import type { Command, CommandServices } from './command.js';
import { callerCommandId } from './command-id.js';
import { COMMAND_TABLE } from './command-table.js';
import type { CommandWriter } from './command-writer.js';

export interface CommandsOptions extends CommandServices {
  readonly writer: CommandWriter;
  readonly projections: Pick<ProjectionRunner, 'indexed'>;
  /** Why the broker does not accept writes; undefined while it does. */
  readonly brokerProblem: () => string | undefined;
  /** Why the read models do not follow the log; undefined while they do. */
  readonly readModelsProblem: () => string | undefined;
}

/** Executes the commands of callers. */
export class Commands {
  constructor(private readonly options: CommandsOptions) {}

  /** The id that a caller sends is a key of its own choice, so the command gets another id (ADR 0055). */
  async carryOut<T extends LoggedCommandType>(
    type: T,
    request: ParsedRequest<CommandData<T>>,
  ): Promise<CommandResult<T>> {
    this.requireWritable();
    const { id: sentAs, principal } = request;
    const own = { ...request, sentAs, id: callerCommandId(principal.tokenId, sentAs) };
    const command: Command<T> = COMMAND_TABLE[type];
    const append = (): Promise<CommandResult<T>> => this.options.writer.append(type, own);
    const result = await (command.around?.(own, append, this.options) ?? append());
    // The wait does not block other commands of the workspace. If it times out, the op is durable all the same.
    if (command.waitsForKeywordIndex) await this.options.projections.indexed(result.position);
    return result;
  }

  propose(request: ParsedRequest<CommandData<'chunk.propose'>>): Promise<CommandResult<'chunk.propose'>> {
    this.requireWritable();
    return this.options.corrections.propose(request);
  }

  /** Without this check, a command would stay unanswered until the time limit. */
  private requireWritable(): void {
    const [broker, readModels] = [this.options.brokerProblem(), this.options.readModelsProblem()];
    if (broker !== undefined) throw fail('oplog.unavailable', `${broker}, then try again`);
    if (readModels !== undefined)
      throw fail('projection.unavailable', `${readModels}: it answers searches, and takes changes when that is done`);
  }
}
