import { WORKSPACES_LANE } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import type { Carried, PreparedCommand } from './prepared-command.js';
import { WorkspaceTail } from './workspace-tail.js';

const GROUP_COMMANDS_MAX = 64;
/** Appended groups that wait for the projection while the next one is decided. */
const UNANSWERED_GROUPS_MAX = 3;

export interface Waiting {
  readonly command: PreparedCommand;
  /** Returns the answer to the caller. */
  readonly answer: (carried: Carried) => Promise<void>;
  readonly reject: (error: AppError) => void;
  /** The entities whose keys are durable. */
  readonly kept: Set<string>;
  /** True if the command waits until the library has everything that was appended before it. */
  deferred?: boolean;
}

/** The commands of one workspace: the waiting ones, and the groups that are appended but not answered yet. */
export class Lane {
  readonly waiting: Waiting[] = [];
  readonly tail = new WorkspaceTail();
  readonly unanswered = new Set<Promise<void>>();

  constructor(readonly name: string) {}

  /** A slug is free only if no workspace in the library has it, so new workspaces wait for each other. */
  get unansweredMax(): number {
    return this.name === WORKSPACES_LANE ? 1 : UNANSWERED_GROUPS_MAX;
  }
}

/** The number of waiting commands that form the next group: those of one workspace. */
export const groupSize = (queue: readonly Waiting[]): number => {
  const first = queue[0]!.command.principal.workspaceId;
  const other = queue.findIndex(({ command }) => command.principal.workspaceId !== first);
  return Math.min(other === -1 ? queue.length : other, GROUP_COMMANDS_MAX);
};
