import type { AppError } from '@cairn/kernel';
import type { Carried, PreparedCommand } from './prepared-command.js';
import { WorkspaceTail } from './workspace-tail.js';

const GROUP_COMMANDS_MAX = 64;
/** Groups that are appended and wait for the projection while the next one is decided. */
const UNANSWERED_GROUPS_MAX = 3;

export interface Waiting {
  readonly command: PreparedCommand;
  /** Gives the caller its answer. */
  readonly answer: (carried: Carried) => Promise<void>;
  readonly reject: (error: AppError) => void;
  /** The entities whose keys are durable. */
  readonly kept: Set<string>;
  /** It has been put off until what was appended before it is in the library. */
  deferred?: boolean;
}

/** New workspaces queue up behind each other, since their slugs must differ and no workspace's head guards that. */
export const WORKSPACES_LANE = 'workspaces';

/** The commands of one workspace: those that wait, and the groups that are appended but not answered yet. */
export class Lane {
  readonly waiting: Waiting[] = [];
  readonly tail = new WorkspaceTail();
  readonly unanswered = new Set<Promise<void>>();

  constructor(readonly name: string) {}

  /** A slug is free only when no workspace in the library has it, so new workspaces wait for each other. */
  get unansweredMax(): number {
    return this.name === WORKSPACES_LANE ? 1 : UNANSWERED_GROUPS_MAX;
  }
}

/** How many of the waiting commands go together: those of one workspace. */
export const groupSize = (queue: readonly Waiting[]): number => {
  const first = queue[0]!.command.principal.workspaceId;
  const other = queue.findIndex(({ command }) => command.principal.workspaceId !== first);
  return Math.min(other === -1 ? queue.length : other, GROUP_COMMANDS_MAX);
};
