import { beforeEach, describe, expect, it } from '@jest/globals';
import { GENESIS_HASH } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { isIntact } from './hash-chain.js';
import { EMPTY_HEAD, mustAppend, newOp, readSome } from './new-op.builder.js';
import type { OpLog } from './op-log.port.js';

/** The guarantees of every op-log for writers and readers; run on the fake and on JetStream. */
export const describeOpLog = (name: string, open: () => OpLog): void => {
  describe(`${name} fulfils the contract of an op-log`, () => {
    let log: OpLog;
    let workspace: string;
    beforeEach(() => {
      log = open();
      workspace = systemIds.next();
    });

    it('appends an op after the expected head and returns its position', async () => {
      const before = await log.head();
      const outcome = await log.append(workspace, EMPTY_HEAD, [newOp()]);
      expect(outcome).toMatchObject({ kind: 'appended', ops: [{ position: before + 1, prevHash: GENESIS_HASH }] });
      expect(await log.head()).toBe(before + 1);
      expect(await log.head(workspace)).toBe(before + 1);
    });

    it('returns the bytes of one op, and nothing where there is none', async () => {
      const { position } = await mustAppend(log, workspace, EMPTY_HEAD, [newOp()]);
      const [stored] = await readSome(log, position, 1);
      expect(Buffer.from((await log.bodyAt(position))!)).toEqual(Buffer.from(stored!.body));
      expect(await log.bodyAt(position + 1)).toBeUndefined();
    });

    it('has no op of an unknown workspace', async () => {
      expect(await log.head(workspace)).toBe(0);
    });

    it('appends several ops next to each other', async () => {
      const before = await log.head();
      const ops = [newOp(), newOp(), newOp()];
      const outcome = await log.append(workspace, EMPTY_HEAD, ops);
      if (outcome.kind !== 'appended') throw new Error(outcome.kind);
      expect(outcome.ops.map(({ position }) => position)).toEqual([before + 1, before + 2, before + 3]);
      expect(outcome.ops.map(({ id }) => id)).toEqual(ops.map(({ id }) => id));
    });

    it.each([1, 3])('rejects %i op(s) on a stale head, and stores none of them', async (count) => {
      const head = await mustAppend(log, workspace, EMPTY_HEAD, [newOp()]);
      const ops = Array.from({ length: count }, () => newOp());
      expect(await log.append(workspace, EMPTY_HEAD, ops)).toEqual({ kind: 'conflict' });
      expect(await log.head(workspace)).toBe(head.position);
      expect(await log.append(workspace, head, ops)).toMatchObject({ kind: 'appended' });
    });

    it.each([1, 3])('rejects %i op(s) on a head that does not exist yet', async (count) => {
      const ahead = { position: (await log.head()) + 5, hash: GENESIS_HASH };
      const ops = Array.from({ length: count }, () => newOp());
      expect(await log.append(workspace, ahead, ops)).toEqual({ kind: 'conflict' });
      expect(await log.head(workspace)).toBe(0);
    });

    it('lets workspaces write concurrently', async () => {
      const other = systemIds.next();
      const head = await mustAppend(log, workspace, EMPTY_HEAD, [newOp()]);
      await mustAppend(log, other, EMPTY_HEAD, [newOp(), newOp()]);
      await mustAppend(log, workspace, head, [newOp()]);
      expect(await log.head(other)).toBe((await log.head(workspace)) - 1);
    });

    it.each([1, 2])('lets one of 16 writers of %i op(s) win each round', async (count) => {
      let head = EMPTY_HEAD;
      for (let round = 0; round < 5; round++) {
        const attempts = Array.from({ length: 16 }, () =>
          log.append(
            workspace,
            head,
            Array.from({ length: count }, () => newOp()),
          ),
        );
        const won = (await Promise.all(attempts)).filter((outcome) => outcome.kind === 'appended');
        expect(won).toHaveLength(1);
        const last = won[0]!.ops.at(-1)!;
        head = { position: last.position, hash: last.hash };
      }
      expect(await log.head(workspace)).toBe(head.position);
    });

    it('reports a conflict when ops are appended twice, so that a lost acknowledgement is noticed', async () => {
      const one = [newOp()];
      const head = await mustAppend(log, workspace, EMPTY_HEAD, one);
      expect(await log.append(workspace, EMPTY_HEAD, one)).toEqual({ kind: 'conflict' });
      expect(await log.append(workspace, head, one)).toEqual({ kind: 'conflict' });
      const several = [newOp(), newOp()];
      const next = await mustAppend(log, workspace, head, several);
      expect(await log.append(workspace, head, several)).toEqual({ kind: 'conflict' });
      expect(await log.append(workspace, next, several)).toEqual({ kind: 'conflict' });
      expect(await log.head(workspace)).toBe(next.position);
    });

    it('returns the stored ops from a position on, in order', async () => {
      const start = (await log.head()) + 1;
      await mustAppend(log, workspace, EMPTY_HEAD, [newOp(), newOp(), newOp(), newOp()]);
      const entries = await readSome(log, start + 1, 3);
      expect(entries.map(({ position }) => position)).toEqual([start + 1, start + 2, start + 3]);
      expect(entries[0]).toMatchObject({ subject: `oplog.${workspace}.token`, op: { workspace, position: start + 1 } });
    });

    it('returns later ops as they arrive', async () => {
      const reader = log.read((await log.head()) + 1);
      expect(await reader.next(10, 0)).toEqual([]);
      const waiting = reader.next(10, 10_000);
      const head = await mustAppend(log, workspace, EMPTY_HEAD, [newOp()]);
      expect((await waiting).map(({ position }) => position)).toEqual([head.position]);
      await reader.close();
    });

    it('[N-59] skips erased ops, and continues after them', async () => {
      const start = (await log.head()) + 1;
      const head = await mustAppend(log, workspace, EMPTY_HEAD, [newOp(), newOp(), newOp(), newOp()]);
      const positions = [start, start + 1, start + 2, start + 3];
      // Erases twice, and includes a position that never had an op: erasing again changes nothing.
      for (let i = 0; i < 2; i++) await log.erase([start + 1, start + 2, start + 99]);
      expect(await log.present(positions)).toEqual([start, start + 3]);
      expect((await readSome(log, start, 2)).map(({ position }) => position)).toEqual([start, start + 3]);
      expect((await readSome(log, start + 1, 1)).map(({ position }) => position)).toEqual([start + 3]);
      expect(await log.head(workspace)).toBe(head.position);
      await mustAppend(log, workspace, head, [newOp()]);
      expect(await log.head()).toBe(start + 4);
    });

    it('chains the ops of a workspace by their hashes', async () => {
      const start = (await log.head()) + 1;
      const head = await mustAppend(log, workspace, EMPTY_HEAD, [newOp(), newOp()]);
      await mustAppend(log, systemIds.next(), EMPTY_HEAD, [newOp()]);
      await mustAppend(log, workspace, head, [newOp()]);
      const entries = (await readSome(log, start, 4)).filter(({ op }) => op.workspace === workspace);
      expect(entries.every((entry) => isIntact(entry.body))).toBe(true);
      expect(entries.map(({ op }) => op.prevHash)).toEqual([GENESIS_HASH, entries[0]!.op.hash, entries[1]!.op.hash]);
    });
  });
};
