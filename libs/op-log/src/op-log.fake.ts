import { eventDefinition, oplogSubject } from '@cairn/contracts';
import { EntryQueue } from './entry-queue.js';
import { chainOps, decodeOp, encodeOp } from './hash-chain.js';
import type { AppendOutcome, EntryReader, NewOp, OpLog, StoredOp, WorkspaceHead } from './op-log.port.js';

/** The op-log of a test: the same rules, in an array. */
export class InMemoryOpLog implements OpLog {
  private readonly stored: StoredOp[] = [];
  private readonly readers = new Set<EntryQueue<StoredOp>>();

  append(workspaceId: string, expected: WorkspaceHead, ops: readonly NewOp[]): Promise<AppendOutcome> {
    const known = new Set(this.stored.map(({ op }) => op.id));
    const isStale = this.lastOf(workspaceId) !== expected.position || ops.some(({ id }) => known.has(id));
    if (isStale) return Promise.resolve({ kind: 'conflict' });
    const appended = chainOps(workspaceId, expected.hash, ops).map((envelope) => {
      const subject = oplogSubject(workspaceId, eventDefinition(envelope.type).noun);
      const entry = decodeOp(this.stored.length + 1, subject, encodeOp(envelope));
      this.stored.push(entry);
      for (const reader of this.readers) reader.push(entry);
      return entry.op;
    });
    return Promise.resolve({ kind: 'appended', ops: appended });
  }

  head(workspaceId?: string): Promise<number> {
    return Promise.resolve(workspaceId === undefined ? this.stored.length : this.lastOf(workspaceId));
  }

  read(fromPosition: number): EntryReader<StoredOp> {
    const reader: EntryQueue<StoredOp> = new EntryQueue(() => {
      this.readers.delete(reader);
      return Promise.resolve();
    });
    for (const entry of this.stored.slice(Math.max(0, fromPosition - 1))) reader.push(entry);
    this.readers.add(reader);
    return reader;
  }

  private lastOf(workspaceId: string): number {
    return this.stored.findLast(({ op }) => op.workspace === workspaceId)?.position ?? 0;
  }
}
