import { asAppError, fail, SYSTEM_TOKEN_ID, type Actor, type DomainEvent, type Principal } from '@cairn/contracts';
import { clientTokenKey, earlierCommand, evolve, type WorkspaceState } from '@cairn/domain';
import type { AppError, Clock, IdGenerator } from '@cairn/kernel';
import type { AppendOutcome, NewOp, OpLog } from '@cairn/op-log';
import { groupSize, Lane, type Waiting } from './lane.js';
import { mergeNeeds, type Needs } from './needs.js';
import type { Carried, PreparedCommand } from './prepared-command.js';
import type { LoadedState } from './state-loader.js';

/** The limit of one atomic append; the broker allows a thousand messages. */
const OPS_PER_APPEND_MAX = 500;
const WAITING_MAX = 512;
const ATTEMPTS = 4;
const APPLY_WAIT_MS = 10_000;
/** Each attempt costs the broker's whole time limit, and the caller's own is not much longer. */
const UNACKNOWLEDGED_MAX = 2;

const APPEND_RESULT = { appended: 'ok', conflict: 'conflict', unknown: 'failed' } as const;

export interface GroupCommitPorts {
  readonly log: OpLog;
  readonly load: (workspaceId: string, needs: Needs) => Promise<LoadedState>;
  /** Resolves when the `library` projection has applied the position; false if that takes too long. */
  readonly applied: (position: number, timeoutMs: number) => Promise<boolean>;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  /** Called once the library has applied the commands, with the events and the position of the last one. */
  readonly onCarried?: (workspaceId: string, events: readonly DomainEvent[], position: number) => void;
  readonly onAppend?: (result: 'ok' | 'conflict' | 'failed', seconds: number) => void;
}

interface Decided {
  readonly waiting: Waiting;
  readonly entityId: string;
  readonly atMs: number;
  readonly events: readonly DomainEvent[];
  /** Set for a command that was executed earlier. */
  readonly position?: number;
}

/** Identifies a repeat: it is answered after the first request, never decided next to it. */
const namesOf = ({ id, principal, clientToken }: PreparedCommand): string[] =>
  clientToken ? [id, clientTokenKey(principal.agentId, clientToken)] : [id];

const needsOf = ({ id, sentAs, principal: { agentId }, clientToken, needs }: PreparedCommand): Needs => ({
  ...needs,
  commandIds: sentAs === undefined ? [id] : [id, sentAs],
  ...(clientToken && { clientTokens: [{ agentId, ...clientToken }] }),
});

const notAcknowledged = (): AppError =>
  fail('oplog.unavailable', 'the op-log did not acknowledge the write; try again', { outcome: 'unknown' });

const actorOf = ({ tokenId, agentId }: Principal): Actor => ({
  kind: tokenId === SYSTEM_TOKEN_ID ? 'system' : 'token',
  tokenId,
  agentId,
});

/**
 * Commands of one workspace that arrive together are decided one after the other on the evolving state and appended
 * together: one disk sync and one projection transaction for many callers. A group is decided and appended while the
 * previous one is being projected. Workspaces run in parallel.
 */
export class GroupCommit {
  private readonly lanes = new Map<string, Lane>();
  private readonly draining = new Set<Promise<void>>();

  constructor(private readonly ports: GroupCommitPorts) {}

  submit<R>(command: PreparedCommand<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      const lane = this.lanes.get(command.lane) ?? this.open(command.lane);
      if (lane.waiting.length >= WAITING_MAX) {
        reject(fail('busy', 'too many commands wait for this workspace; try again', { limit: WAITING_MAX }));
        return;
      }
      const answer = async (carried: Carried): Promise<void> => resolve(await command.answer(carried));
      lane.waiting.push({ command, answer, reject, kept: new Set() });
    });
  }

  get isBusy(): boolean {
    return this.draining.size > 0;
  }

  private open(name: string): Lane {
    const lane = new Lane(name);
    this.lanes.set(name, lane);
    const drained = this.drain(lane).finally(() => this.draining.delete(drained));
    this.draining.add(drained);
    return lane;
  }

  private async drain(lane: Lane): Promise<void> {
    // Everything that arrives in this turn of the event loop belongs to the first group.
    await new Promise((resolve) => setImmediate(resolve));
    do {
      while (lane.waiting.length > 0) await this.takeGroup(lane);
      await Promise.all(lane.unanswered);
    } while (lane.waiting.length > 0);
    this.lanes.delete(lane.name);
  }

  private async takeGroup(lane: Lane): Promise<void> {
    const group = lane.waiting.splice(0, groupSize(lane.waiting));
    try {
      await this.carryOut(lane, group[0]!.command.principal.workspaceId, group);
    } catch (thrown) {
      const error = asAppError(thrown);
      for (const { reject } of group) reject(error);
    }
  }

  private async carryOut(lane: Lane, workspaceId: string, group: readonly Waiting[]): Promise<void> {
    const needs = mergeNeeds(group.map(({ command }) => needsOf(command)));
    let open = group;
    let unacknowledged = 0;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const { head, state } = lane.tail.onTop(
        workspaceId,
        await this.ports.load(workspaceId, lane.tail.widened(needs)),
      );
      const { decisions, later } = this.decideAll(state, open);
      const newOps = decisions.flatMap((decision) => this.opsOf(decision));
      const outcome = await this.append(workspaceId, head, decisions, newOps);
      if (outcome.kind === 'appended') {
        lane.tail.push(outcome.ops);
        await this.answerLater(lane, decisions, head.position, outcome.ops.at(-1)?.position ?? head.position);
        if (later.some(({ deferred }) => deferred)) await Promise.all(lane.unanswered);
        if (later.length > 0) await this.carryOut(lane, workspaceId, later);
        return;
      }
      if (outcome.kind === 'unknown' && ++unacknowledged === UNACKNOWLEDGED_MAX) throw notAcknowledged();
      // A rejected command has been answered, and the next attempt must not execute it.
      open = [...decisions.map(({ waiting }) => waiting), ...later];
      lane.tail.clear();
      await this.catchUp(workspaceId);
    }
    throw fail('oplog.conflict', 'others keep writing to this workspace; try again', { attempts: ATTEMPTS });
  }

  /** Answers once the library has applied the group; meanwhile the next groups proceed, up to a small limit. */
  private async answerLater(lane: Lane, decisions: readonly Decided[], head: number, last: number): Promise<void> {
    const answered = this.ports
      .applied(last, APPLY_WAIT_MS)
      .then(() => this.answerAll(decisions, head, last))
      .finally(() => lane.unanswered.delete(answered));
    lane.unanswered.add(answered);
    if (lane.unanswered.size >= lane.unansweredMax) await Promise.race(lane.unanswered);
  }

  /**
   * A rejection is answered at once; the other commands are decided in order, each on the state left by the previous
   * one.
   */
  private decideAll(initial: WorkspaceState, group: readonly Waiting[]): { decisions: Decided[]; later: Waiting[] } {
    const decisions: Decided[] = [];
    const later: Waiting[] = [];
    const seen = new Set<string>();
    let state = initial;
    let ops = 0;
    for (const waiting of group) {
      const names = namesOf(waiting.command);
      if (names.some((name) => seen.has(name)) || ops >= OPS_PER_APPEND_MAX) {
        later.push(waiting);
        continue;
      }
      for (const name of names) seen.add(name);
      const decision = this.decideOne(state, waiting);
      if (decision === 'later') later.push(waiting);
      if (!decision || decision === 'later') continue;
      ops += decision.events.length;
      decisions.push(decision);
      for (const event of decision.events) state = evolve(state, event);
    }
    return { decisions, later };
  }

  /** Undefined if it was rejected; `later` if it must wait, once, until the library has the ops before it. */
  private decideOne(state: WorkspaceState, waiting: Waiting): Decided | 'later' | undefined {
    const { command } = waiting;
    const atMs = this.ports.clock.now();
    try {
      const earlier = earlierCommand(state, command, atMs);
      if (earlier) return { waiting, atMs, events: [], entityId: earlier.entityId, position: earlier.position };
      return { waiting, atMs, ...command.decide(state, atMs) };
    } catch (thrown) {
      const error = asAppError(thrown);
      if (error.kind === 'conflict' && !waiting.deferred) {
        waiting.deferred = true;
        return 'later';
      }
      waiting.reject(error);
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
    const { payloadHash, clientToken } = command;
    const ofFirst = { payloadHash, clientToken };
    return events.map((event, i) => ({ ...shared, id: this.ports.ids.next(), event, ...(i === 0 && ofFirst) }));
  }

  private async append(
    workspaceId: string,
    head: LoadedState['head'],
    decisions: readonly Decided[],
    ops: readonly NewOp[],
  ): Promise<AppendOutcome> {
    if (ops.length === 0) return { kind: 'appended', ops: [] };
    await Promise.all(decisions.map((decision) => this.keep(decision)));
    const started = performance.now();
    const report = (result: 'ok' | 'conflict' | 'failed') =>
      this.ports.onAppend?.(result, (performance.now() - started) / 1_000);
    const outcome = await this.ports.log.append(workspaceId, head, ops).catch((thrown: unknown) => {
      report('failed');
      throw thrown;
    });
    report(APPEND_RESULT[outcome.kind]);
    return outcome;
  }

  /**
   * Once per command and entity, whatever the number of attempts: if a key is written repeatedly, erasure cannot reach
   * its first revision, and those bytes stay on the disk. A command that is decided again may create another entity.
   */
  private async keep({ waiting: { command, kept }, events, entityId }: Decided): Promise<void> {
    if (events.length === 0 || kept.has(entityId)) return;
    await command.beforeAppend?.();
    kept.add(entityId);
  }

  private async catchUp(workspaceId: string): Promise<void> {
    const head = await this.ports.log.head(workspaceId);
    await this.ports.applied(head, APPLY_WAIT_MS);
  }

  /** The group's ops are contiguous and end at `last`. */
  private async answerAll(decisions: readonly Decided[], head: number, last: number): Promise<void> {
    let position = last - decisions.reduce((sum, { events }) => sum + events.length, 0);
    await Promise.all(
      decisions.map(async ({ waiting, events, entityId, position: earlier }) => {
        position += events.length;
        const isNew = events.length > 0;
        if (isNew) this.ports.onCarried?.(waiting.command.principal.workspaceId, events, position);
        const carried: Carried = { entityId, isNew, position: isNew ? position : (earlier ?? head) };
        try {
          await waiting.answer(carried);
        } catch (thrown) {
          waiting.reject(asAppError(thrown));
        }
      }),
    );
  }
}
