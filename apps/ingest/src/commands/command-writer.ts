import {
  systemPrincipal,
  type CommandData,
  type CommandResult,
  type EventData,
  type LedgerEntry,
  type LoggedCommandType,
} from '@cairn/contracts';
import type { CommandRequest, PrepareContext } from './command.js';
import { receiptCommandId } from './command-id.js';
import type { GroupCommit } from './group-commit.js';
import { prepare } from './prepare.js';

/** Decides and appends commands: those of callers, and those that Cairn issues itself. */
export class CommandWriter {
  constructor(
    private readonly commits: GroupCommit,
    private readonly context: PrepareContext,
  ) {}

  /** True while a caller waits for a command. */
  get isBusy(): boolean {
    return this.commits.isBusy;
  }

  async append<T extends LoggedCommandType>(
    type: T,
    request: CommandRequest<CommandData<T>>,
    ids = this.context.ids,
  ): Promise<CommandResult<T>> {
    return this.commits.submit(await prepare(type, request, { ...this.context, ids }));
  }

  issueReceipt(data: EventData<'receipt.issued'>): Promise<unknown> {
    const { receiptId, workspaceId } = data;
    return this.append('receipt.issue', {
      id: receiptCommandId(receiptId),
      correlationId: receiptId,
      principal: systemPrincipal(workspaceId),
      data,
    });
  }

  /** Repeats a forgetting under its original receipt, which its owner may hold. */
  forgetAgain({ workspaceId, itemId, chunkId, receiptId }: LedgerEntry): Promise<unknown> {
    const request = { id: this.context.ids.next(), correlationId: receiptId, principal: systemPrincipal(workspaceId) };
    const ids = { next: () => receiptId };
    return chunkId === null
      ? this.append('item.forget', { ...request, data: { itemId, surface: 'rest' } }, ids)
      : this.append('chunk.forget', { ...request, data: { chunkId, surface: 'rest' } }, ids);
  }

  /** The caller destroys the key of the waiting text. */
  endConfirmation(action: 'expire' | 'erase', workspaceId: string, confirmationId: string): Promise<unknown> {
    return this.append('confirmation.resolve', {
      id: this.context.ids.next(),
      correlationId: confirmationId,
      principal: systemPrincipal(workspaceId),
      data: { confirmationId, action },
    });
  }
}
