import { nounOf, oplogSubject } from '@cairn/contracts';
import { EntryQueue } from './entry-queue.js';
import { chainOps, decodeOp, encodeOp } from './hash-chain.js';
import type { AppendOutcome, EntryReader, NewOp, OpLog, StoredOp, WorkspaceHead } from './op-log.port.js';

/** An op-log for tests: the same rules, in an array. */
export class InMemoryOpLog implements OpLog {
  private readonly stored: StoredOp[] = [];
  private lastPosition = 0;
  private readonly readers = new Set<EntryQueue<StoredOp>>();

  append(workspaceId: string, expected: WorkspaceHead, ops: readonly NewOp[]): Promise<AppendOutcome> {
    const known = new Set(this.stored.map(({ op }) => op.id));
    const isStale = this.lastOf(workspaceId) !== expected.position || ops.some(({ id }) => known.has(id));
    if (isStale) return Promise.resolve({ kind: 'conflict' });
    const appended = chainOps(workspaceId, expected.hash, ops).map((envelope) => {
      const subject = oplogSubject(workspaceId, nounOf(envelope.type));
      const entry = decodeOp(++this.lastPosition, subject, encodeOp(envelope));
      this.stored.push(entry);
      for (const reader of this.readers) reader.push(entry);
      return entry.op;
    });
    return Promise.resolve({ kind: 'appended', ops: appended });
  }

  head(workspaceId?: string): Promise<number> {
    return Promise.resolve(workspaceId === undefined ? this.lastPosition : this.lastOf(workspaceId));
  }

  read(fromPosition: number): EntryReader<StoredOp> {
    const reader: EntryQueue<StoredOp> = new EntryQueue(() => {
      this.readers.delete(reader);
      return Promise.resolve();
    });
    for (const entry of this.stored) if (entry.position >= fromPosition) reader.push(entry);
    this.readers.add(reader);
    return reader;
  }

  bodyAt(position: number): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.stored.find((entry) => entry.position === position)?.body);
  }

  erase(positions: readonly number[]): Promise<void> {
    const left = this.stored.filter(({ position }) => !positions.includes(position));
    this.stored.splice(0, this.stored.length, ...left);
    return Promise.resolve();
  }

  present(positions: readonly number[]): Promise<readonly number[]> {
    return Promise.resolve(positions.filter((position) => this.stored.some((op) => op.position === position)));
  }

  private lastOf(workspaceId: string): number {
    return this.stored.findLast(({ op }) => op.workspace === workspaceId)?.position ?? 0;
  }
}
