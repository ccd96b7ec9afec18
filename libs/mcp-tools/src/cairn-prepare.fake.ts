import type { CommandData, CommandResult, LoggedCommandType, Principal } from '@cairn/contracts';
import type { Decidable, Decision, SealedCorrection, WorkspaceState } from '@cairn/domain';
import type { InMemoryWorkspace } from './cairn-workspace.fake.js';

export interface CommandRequest<D> {
  readonly id: string;
  readonly principal: Principal;
  readonly data: D;
}

export interface CommandContext {
  readonly workspace: InMemoryWorkspace;
  readonly corrections: ReadonlyMap<string, SealedCorrection>;
}

interface Prepared<R> {
  readonly decide: (state: WorkspaceState, atMs: number) => Decision;
  readonly answer: (decision: Decision, position: number) => R;
}

export type Prepare<T extends LoggedCommandType> = (
  request: CommandRequest<CommandData<T>>,
  context: CommandContext,
) => Prepared<CommandResult<T>>;

export const at = <D>({ id, principal }: CommandRequest<unknown>, data: D, atMs: number): Decidable<D> => ({
  commandId: id,
  principal,
  atMs,
  data,
});

/** A command whose data needs no preparation, and whose answer names one thing. */
export const plain =
  <T extends LoggedCommandType>(
    decide: (state: WorkspaceState, command: Decidable<CommandData<T>>) => Decision,
    answer: (entityId: string, position: number) => CommandResult<T>,
  ): Prepare<T> =>
  (request) => ({
    decide: (state, atMs) => decide(state, at(request, request.data, atMs)),
    answer: ({ entityId }, position) => answer(entityId, position),
  });
