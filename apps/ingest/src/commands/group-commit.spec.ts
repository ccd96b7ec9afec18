import { describe, expect, it } from '@jest/globals';
import { fail, GENESIS_HASH, systemPrincipal, type DomainEvent } from '@cairn/contracts';
import {
  alreadyDone,
  decided,
  EMPTY_STATE,
  evolve,
  type CommandState,
  type Decision,
  type WorkspaceState,
} from '@cairn/domain';
import { systemIds } from '@cairn/kernel';
import { type AppendOutcome, type NewOp, type WorkspaceHead } from '@cairn/op-log';
import { InMemoryOpLog } from '@cairn/op-log/testing';
import { GroupCommit, type GroupCommitPorts } from './group-commit.js';
import type { PreparedCommand } from './prepared-command.js';

const WORKSPACE = systemIds.next();

/** Counts appends, and can let a rival write before an append, lose an append, or lose its acknowledgement. */
class TroubledLog extends InMemoryOpLog {
  readonly appends: number[] = [];
  readonly troubles: ('rival' | 'unavailable' | 'no-ack')[] = [];

  override async append(workspaceId: string, expected: WorkspaceHead, ops: readonly NewOp[]): Promise<AppendOutcome> {
    const trouble = this.troubles.shift();
    if (trouble === 'unavailable') throw fail('oplog.unavailable', 'unavailable');
    if (trouble === 'rival') await super.append(workspaceId, expected, [rivalOp()]);
    const outcome = await super.append(workspaceId, expected, ops);
    if (trouble === 'no-ack') return { kind: 'unknown' };
    if (outcome.kind === 'appended') this.appends.push(ops.length);
    return outcome;
  }
}

const folderEvent = (folderId: string, slug: string): DomainEvent => ({
  type: 'folder.created',
  data: { folderId, slug, name: slug, tier: 'public', maxTokensPerRecall: null, readme: '', isDefault: false },
});

const RIVAL = folderEvent(systemIds.next(), 'rival');
const rivalOp = (): NewOp => ({
  id: systemIds.next(),
  event: RIVAL,
  actor: { kind: 'system', tokenId: systemIds.next(), agentId: 'rival' },
  at: new Date(0).toISOString(),
  commandId: systemIds.next(),
  correlationId: 'rival',
});

/** State read directly from the log: a projection that never lags. */
const stateOf = async (log: InMemoryOpLog): Promise<{ head: WorkspaceHead; state: WorkspaceState }> => {
  const reader = log.read(1);
  const entries = await reader.next(100_000, 0);
  await reader.close();
  const commands = new Map<string, CommandState>();
  let state = EMPTY_STATE;
  for (const { op } of entries) {
    state = evolve(state, op);
    commands.set(op.commandId, {
      position: op.position,
      entityId: (op.data as { folderId: string }).folderId,
      type: op.type,
      tokenId: op.actor.tokenId,
      payloadHash: op.payloadHash ?? null,
    });
  }
  const last = entries.at(-1)?.op;
  const head = last ? { position: last.position, hash: last.hash } : { position: 0, hash: GENESIS_HASH };
  return { head, state: { ...state, commands } };
};

const setUp = (more: Partial<GroupCommitPorts> = {}) => {
  const log = new TroubledLog();
  const commits = new GroupCommit({
    log,
    load: () => stateOf(log),
    applied: () => Promise.resolve(true),
    clock: { now: () => 0 },
    ids: systemIds,
    ...more,
  });
  return { log, commits };
};

const command = (
  decide: (state: WorkspaceState) => Decision,
  more: Partial<PreparedCommand> = {},
): PreparedCommand => ({
  lane: WORKSPACE,
  payloadHash: 'a'.repeat(64),
  id: systemIds.next(),
  correlationId: 'test',
  principal: systemPrincipal(WORKSPACE),
  needs: {},
  decide,
  answer: (carried) => carried,
  ...more,
});

/** Creates `count` folders, each with its own slug. */
const making = (count = 1, more: Partial<PreparedCommand> = {}): PreparedCommand => {
  const ids = Array.from({ length: count }, () => systemIds.next());
  return command(() => decided(ids[0]!, ...ids.map((id) => folderEvent(id, id))), more);
};

const hasRival = (state: WorkspaceState): boolean => [...state.folders.values()].some(({ slug }) => slug === 'rival');

describe('group commit', () => {
  it('appends commands that arrive together in one batch, and answers each with the position of its own last op', async () => {
    const { log, commits } = setUp();
    const answers = await Promise.all([making(2), making(1), making(3)].map((one) => commits.submit(one)));
    expect(log.appends).toEqual([6]);
    expect(answers).toMatchObject([{ position: 2 }, { position: 3 }, { position: 6 }]);
  });

  it('puts at most about 500 ops into one append', async () => {
    const { log, commits } = setUp();
    await Promise.all(Array.from({ length: 12 }, () => commits.submit(making(100))));
    expect(log.appends).toEqual([500, 500, 200]);
  });

  it('decides a command again, after the others are projected, if it conflicts with them', async () => {
    let applied = false;
    const { log, commits } = setUp({
      applied: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        applied = true;
        return true;
      },
    });
    const seen: boolean[] = [];
    const id = systemIds.next();
    const picky = command(() => {
      seen.push(applied);
      if (!applied) throw fail('oplog.conflict', 'wait');
      return decided(id, folderEvent(id, 'mine'));
    });
    const answers = await Promise.all([making(), picky, making()].map((one) => commits.submit(one)));
    expect(seen).toEqual([false, true]);
    expect(log.appends).toEqual([2, 1]);
    expect(answers).toMatchObject([{ position: 1 }, { position: 3 }, { position: 2 }]);
  });

  it('reports a conflict that occurs twice', async () => {
    const { commits } = setUp();
    let tries = 0;
    const stubborn = command(() => {
      tries++;
      throw fail('oplog.conflict', 'wait');
    });
    await expect(commits.submit(stubborn)).rejects.toMatchObject({ code: 'oplog.conflict' });
    expect(tries).toBe(2);
  });

  it('decides again on the state that a rival has written', async () => {
    const { log, commits } = setUp();
    log.troubles.push('rival');
    const seen: boolean[] = [];
    const id = systemIds.next();
    const answer = commits.submit(
      command((state) => {
        seen.push(hasRival(state));
        return decided(id, folderEvent(id, 'mine'));
      }),
    );
    expect(await answer).toMatchObject({ position: 2, isNew: true });
    expect(seen).toEqual([false, true]);
  });

  it('does not execute a rejected command later', async () => {
    const { log, commits } = setUp();
    log.troubles.push('rival');
    const id = systemIds.next();
    const fussy = commits.submit(
      command((state) => {
        if (!hasRival(state)) throw fail('folder.not_found', 'there is no such folder');
        return decided(id, folderEvent(id, 'too-late'));
      }),
    );
    const other = commits.submit(making());
    await expect(fussy).rejects.toMatchObject({ code: 'folder.not_found' });
    await expect(other).resolves.toMatchObject({ position: 2 });
    expect(await log.head()).toBe(2);
  });

  it('gives up after a few rivals with a retryable error', async () => {
    const { log, commits } = setUp();
    log.troubles.push('rival', 'rival', 'rival', 'rival', 'rival');
    await expect(commits.submit(making())).rejects.toMatchObject({ code: 'oplog.conflict', kind: 'conflict' });
  });

  it('finds a command whose acknowledgement was lost', async () => {
    const { log, commits } = setUp();
    log.troubles.push('no-ack');
    const once = making();
    expect(await commits.submit(once)).toMatchObject({ position: 1, isNew: false });
    expect(await commits.submit(once)).toMatchObject({ position: 1, isNew: false });
    expect(await log.head()).toBe(1);
  });

  it('rejects an id that was used for another request, or by another token', async () => {
    const { log, commits } = setUp();
    const first = making();
    await commits.submit(first);
    const others: Partial<PreparedCommand>[] = [
      { payloadHash: 'b'.repeat(64) },
      { principal: { ...first.principal, tokenId: systemIds.next() } },
    ];
    for (const other of others) {
      await expect(commits.submit({ ...first, ...other })).rejects.toMatchObject({ code: 'idempotency.key_reused' });
    }
    expect(await log.head()).toBe(1);
  });

  it('is busy until the last command is answered', async () => {
    const { commits } = setUp();
    const answer = commits.submit(making());
    expect(commits.isBusy).toBe(true);
    await answer;
    await new Promise((resolve) => setImmediate(resolve));
    expect(commits.isBusy).toBe(false);
  });

  it('fails the commands of a group when the log is unavailable, and accepts the next ones', async () => {
    const { log, commits } = setUp();
    log.troubles.push('unavailable');
    const failed = await Promise.allSettled([commits.submit(making()), commits.submit(making())]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(commits.submit(making())).resolves.toMatchObject({ position: 1 });
  });

  it('makes the keys durable before the op, and appends nothing without them', async () => {
    const { log, commits } = setUp();
    const keyless = making(1, { beforeAppend: () => Promise.reject(fail('oplog.unavailable', 'no keys')) });
    await expect(commits.submit(keyless)).rejects.toMatchObject({ message: 'no keys' });
    expect(await log.head()).toBe(0);
  });

  it('stores no keys for a command that was executed before', async () => {
    const { log, commits } = setUp();
    let kept = 0;
    const repeat = command(() => alreadyDone(systemIds.next()), { beforeAppend: () => Promise.resolve(void kept++) });
    await commits.submit(repeat);
    expect(kept).toBe(0);
    expect(log.appends).toEqual([]);
  });

  it('stores the keys of a command once, however often others write first', async () => {
    const { log, commits } = setUp();
    log.troubles.push('rival', 'rival', 'rival');
    let kept = 0;
    await commits.submit(making(1, { beforeAppend: () => Promise.resolve(void kept++) }));
    expect(kept).toBe(1);
  });

  it('stores the keys of the new entity when a command is decided again and creates another one', async () => {
    const { log, commits } = setUp();
    log.troubles.push('rival', 'rival');
    const [before, behind] = [systemIds.next(), systemIds.next()];
    const kept: string[] = [];
    let made = '';
    const torn = command(
      (state) => {
        made = hasRival(state) ? behind : before;
        return decided(made, folderEvent(made, 'mine'));
      },
      { beforeAppend: () => Promise.resolve(void kept.push(made)) },
    );
    expect(await commits.submit(torn)).toMatchObject({ entityId: behind });
    expect(kept).toEqual([before, behind]);
  });

  it('executes one of several commands with the same id', async () => {
    const { log, commits } = setUp();
    const one = making();
    const answers = await Promise.all([commits.submit(one), commits.submit(one), commits.submit(one)]);
    expect(new Set(answers.map((answer) => (answer as { entityId: string }).entityId)).size).toBe(1);
    expect(await log.head()).toBe(1);
  });

  it('answers even if the projection lags, since the op is durable', async () => {
    const { commits } = setUp({ applied: () => Promise.resolve(false) });
    await expect(commits.submit(making())).resolves.toMatchObject({ position: 1 });
  });

  it('rejects a command when too many are waiting', async () => {
    const { commits } = setUp();
    const all = await Promise.allSettled(Array.from({ length: 600 }, () => commits.submit(making())));
    const refused = all.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(600 - 512);
    expect(refused[0]!.reason).toMatchObject({ code: 'busy', details: { limit: 512 } });
  });
});
