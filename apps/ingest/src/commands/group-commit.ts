import { asAppError, fail, SYSTEM_TOKEN_ID, type Actor, type DomainEvent, type Principal } from '@cairn/contracts';
import { evolve, type CommandState, type WorkspaceState } from '@cairn/domain';
import type { AppError, Clock, IdGenerator } from '@cairn/kernel';
import type { NewOp, OpLog } from '@cairn/op-log';
import type { PreparedCommand } from './prepared-command.js';
import { mergeNeeds, type LoadedState, type Needs } from './state.loader.js';

/** The bound on one atomic append; the broker allows a thousand messages. */
const OPS_PER_APPEND_MAX = 500;
const GROUP_COMMANDS_MAX = 64;
const WAITING_MAX = 512;
const ATTEMPTS = 4;
const APPLY_WAIT_MS = 10_000;
/** Each costs the broker's whole time limit, and the caller's own is not much longer. */
const UNACKNOWLEDGED_MAX = 2;

const APPEND_RESULT = { appended: 'ok', conflict: 'conflict', unknown: 'failed' } as const;

export interface GroupCommitPorts {
  readonly log: OpLog;
  readonly load: (workspaceId: string, needs: Needs) => Promise<LoadedState>;
  /** Resolves when the `library` projection has applied the position; false when that takes too long. */
  readonly applied: (position: number, timeoutMs: number) => Promise<boolean>;
  readonly answer: (command: PreparedCommand, outcome: Carried) => Promise<unknown>;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly onAppend?: (result: 'ok' | 'conflict' | 'failed', seconds: number) => void;
}

export interface Carried {
  readonly entityId: string;
  readonly position: number;
  readonly isNew: boolean;
}

interface Waiting {
  readonly command: PreparedCommand;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: AppError) => void;
}

interface Decided {
  readonly waiting: Waiting;
  readonly entityId: string;
  readonly atMs: number;
  readonly events: readonly DomainEvent[];
  /** Known for a command that was carried out earlier. */
  readonly position?: number;
}

/** The answer of the first time, for the same caller with the same content only. */
const repeated = (earlier: CommandState, { principal, makes, payloadHash }: PreparedCommand): CommandState => {
  const isSame =
    earlier.tokenId === principal.tokenId &&
    earlier.type === makes &&
    (earlier.payloadHash ?? undefined) === payloadHash;
  if (isSame) return earlier;
  throw fail('idempotency.key_reused', 'this Idempotency-Key was used for another request', {
    field: 'Idempotency-Key',
  });
};

const notAcknowledged = (): AppError =>
  fail('oplog.unavailable', 'the op-log did not acknowledge the write; try again', { outcome: 'unknown' });

const actorOf = ({ tokenId, agentId }: Principal): Actor => ({
  kind: tokenId === SYSTEM_TOKEN_ID ? 'system' : 'token',
  tokenId,
  agentId,
});

/** New workspaces queue up behind each other, since their slugs must differ and no workspace's head guards that. */
const queueOf = ({ type, principal }: PreparedCommand): string =>
  type === 'workspace.create' ? 'workspaces' : principal.workspaceId;

/** How many of the waiting commands go together: those of one workspace. */
const groupSize = (queue: readonly Waiting[]): number => {
  const first = queue[0]!.command.principal.workspaceId;
  const other = queue.findIndex(({ command }) => command.principal.workspaceId !== first);
  return Math.min(other === -1 ? queue.length : other, GROUP_COMMANDS_MAX);
};

/**
 * Commands of one workspace that arrive together are decided one after the other on the evolving state and appended
 * together: one sync to disk and one projection transaction for many callers. Workspaces go side by side.
 */
export class GroupCommit {
  private readonly queues = new Map<string, Waiting[]>();
  private readonly draining = new Set<Promise<void>>();

  constructor(private readonly ports: GroupCommitPorts) {}

  submit(command: PreparedCommand): Promise<unknown> {
    const name = queueOf(command);
    return new Promise((resolve, reject) => {
      const waiting = { command, resolve, reject };
      const queue = this.queues.get(name);
      if (!queue) {
        this.queues.set(name, [waiting]);
        const drained = this.drain(name).finally(() => this.draining.delete(drained));
        this.draining.add(drained);
      } else if (queue.length >= WAITING_MAX) {
        reject(fail('busy', 'too many commands wait for this workspace; try again', { limit: WAITING_MAX }));
      } else {
        queue.push(waiting);
      }
    });
  }

  get isBusy(): boolean {
    return this.draining.size > 0;
  }

  /** Resolves when every command that was taken has been answered. */
  async idle(): Promise<void> {
    await Promise.all(this.draining);
  }

  private async drain(name: string): Promise<void> {
    const queue = this.queues.get(name)!;
    // Whatever arrives in this turn of the event loop belongs to the first group.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const group = queue.splice(0, groupSize(queue));
      try {
        await this.carryOut(group[0]!.command.principal.workspaceId, group);
      } catch (thrown) {
        const error = asAppError(thrown);
        for (const { reject } of group) reject(error);
      }
    }
    this.queues.delete(name);
  }

  private async carryOut(workspaceId: string, group: readonly Waiting[]): Promise<void> {
    const needs = mergeNeeds(group.map(({ command }) => ({ ...command.needs, commandIds: [command.id] })));
    let open = group;
    let unacknowledged = 0;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const { head, state } = await this.ports.load(workspaceId, needs);
      const { decisions, later } = this.decideAll(state, open);
      const ops = decisions.flatMap((decision) => this.opsOf(decision));
      const last = ops.length === 0 ? head.position : await this.append(workspaceId, head, decisions, ops);
      if (typeof last !== 'number') {
        if (last === 'unknown' && ++unacknowledged === UNACKNOWLEDGED_MAX) throw notAcknowledged();
        // Whoever was refused has been told so, and must not be carried out by the next attempt.
        open = [...decisions.map(({ waiting }) => waiting), ...later];
        await this.catchUp(workspaceId);
        continue;
      }
      await this.ports.applied(last, APPLY_WAIT_MS);
      await this.answerAll(decisions, last - ops.length, head.position);
      if (later.length > 0) await this.carryOut(workspaceId, later);
      return;
    }
    throw fail('oplog.conflict', 'others keep writing to this workspace; try again', { attempts: ATTEMPTS });
  }

  /** A refusal is answered at once; the rest is decided in order, each on the state that the one before left. */
  private decideAll(initial: WorkspaceState, group: readonly Waiting[]): { decisions: Decided[]; later: Waiting[] } {
    const decisions: Decided[] = [];
    const later: Waiting[] = [];
    const seen = new Set<string>();
    let state = initial;
    let ops = 0;
    for (const waiting of group) {
      if (seen.has(waiting.command.id) || ops >= OPS_PER_APPEND_MAX) {
        later.push(waiting);
        continue;
      }
      seen.add(waiting.command.id);
      const decision = this.decideOne(state, waiting);
      if (!decision) continue;
      ops += decision.events.length;
      decisions.push(decision);
      for (const event of decision.events)
        state = evolve(state, event, { atMs: decision.atMs, commandId: waiting.command.id });
    }
    return { decisions, later };
  }

  private decideOne(state: WorkspaceState, waiting: Waiting): Decided | undefined {
    const { command } = waiting;
    const atMs = this.ports.clock.now();
    try {
      const earlier = state.commands.get(command.id);
      if (earlier) return { waiting, atMs, events: [], ...repeated(earlier, command) };
      return { waiting, atMs, ...command.decide(state, atMs) };
    } catch (thrown) {
      waiting.reject(asAppError(thrown));
      return undefined;
    }
  }

  private opsOf({ waiting, events, atMs }: Decided): NewOp[] {
    const { command } = waiting;
    const shared = {
      actor: actorOf(command.principal),
      at: new Date(atMs).toISOString(),
      commandId: command.id,
      correlationId: command.correlationId,
    };
    return events.map((event) => ({ ...shared, id: this.ports.ids.next(), event }));
  }

  /** The position of the last op, or why it is not known to be stored. */
  private async append(
    workspaceId: string,
    head: LoadedState['head'],
    decisions: readonly Decided[],
    ops: readonly NewOp[],
  ): Promise<number | 'conflict' | 'unknown'> {
    const fresh = decisions.filter(({ events }) => events.length > 0);
    await Promise.all(fresh.map(async ({ waiting }) => waiting.command.beforeAppend?.()));
    const started = performance.now();
    const report = (result: 'ok' | 'conflict' | 'failed') =>
      this.ports.onAppend?.(result, (performance.now() - started) / 1_000);
    const outcome = await this.ports.log.append(workspaceId, head, ops).catch((thrown: unknown) => {
      report('failed');
      throw thrown;
    });
    report(APPEND_RESULT[outcome.kind]);
    return outcome.kind === 'appended' ? outcome.ops.at(-1)!.position : outcome.kind;
  }

  private async catchUp(workspaceId: string): Promise<void> {
    const head = await this.ports.log.head(workspaceId);
    await this.ports.applied(head, APPLY_WAIT_MS);
  }

  private async answerAll(decisions: readonly Decided[], before: number, head: number): Promise<void> {
    let position = before;
    await Promise.all(
      decisions.map(async ({ waiting, events, entityId, position: earlier }) => {
        position += events.length;
        const isNew = events.length > 0;
        const carried: Carried = { entityId, isNew, position: isNew ? position : (earlier ?? head) };
        try {
          waiting.resolve(await this.ports.answer(waiting.command, carried));
        } catch (thrown) {
          waiting.reject(asAppError(thrown));
        }
      }),
    );
  }
}
