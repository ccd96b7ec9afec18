import { GENESIS_HASH } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import type { NewOp, OpLog, StoredOp, WorkspaceHead } from './op-log.port.js';

export const EMPTY_HEAD: WorkspaceHead = { position: 0, hash: GENESIS_HASH };

/** An op with arbitrary content, for tests of the log itself. */
export const newOp = (id = systemIds.next()): NewOp => ({
  id,
  event: { type: 'token.revoked', data: { tokenId: systemIds.next() } },
  actor: { kind: 'system', tokenId: systemIds.next(), agentId: 'test' },
  at: '2026-11-16T12:00:00.000Z',
  commandId: systemIds.next(),
  correlationId: 'test',
});

/** Appends and returns the new head; a conflict fails the test. */
export const mustAppend = async (
  log: OpLog,
  workspaceId: string,
  head: WorkspaceHead,
  ops: readonly NewOp[],
): Promise<WorkspaceHead> => {
  const outcome = await log.append(workspaceId, head, ops);
  if (outcome.kind !== 'appended') throw new Error(`the append ended in ${outcome.kind}`);
  const last = outcome.ops.at(-1)!;
  return { position: last.position, hash: last.hash };
};

/** Reads until that many entries have arrived. */
export const readSome = async (log: OpLog, from: number, count: number): Promise<StoredOp[]> => {
  const reader = log.read(from);
  const entries: StoredOp[] = [];
  while (entries.length < count) entries.push(...(await reader.next(count - entries.length, 5_000)));
  await reader.close();
  return entries;
};
