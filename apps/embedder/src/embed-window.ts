import { workspaceOfOplogSubject } from '@cairn/contracts';
import type { JsMsg } from '@nats-io/jetstream';

/** A larger window would keep work from other replicas. */
export const OPS_MAX = 256;
const BYTES_MAX = 16 * 1_048_576;

/** The ops in work at the same time. Looking ahead finds the ops of workspaces that wait behind it (ADR 0058). */
export class EmbedWindow {
  private readonly inWork = new Set<Promise<void>>();
  private readonly opsOf = new Map<string, number>();
  private bytes = 0;
  private lastPosition = 0;
  private onSettled = (): void => undefined;

  get isFull(): boolean {
    return this.inWork.size >= OPS_MAX || this.bytes >= BYTES_MAX;
  }

  /** The last position that was taken. */
  get passed(): number {
    return this.lastPosition;
  }

  serves(workspace: string): boolean {
    return this.opsOf.has(workspace);
  }

  /** Counts the op until its work settles. */
  take(message: JsMsg, work: Promise<void>, settled: () => void): void {
    const { length } = message.data;
    const workspace = workspaceOfOplogSubject(message.subject);
    this.lastPosition = message.seq;
    this.count(workspace, 1, length);
    const counted = work.finally(() => {
      this.inWork.delete(counted);
      this.count(workspace, -1, -length);
      settled();
      this.onSettled();
    });
    this.inWork.add(counted);
  }

  async room(): Promise<void> {
    while (this.isFull) await new Promise<void>((resolve) => (this.onSettled = resolve));
  }

  async empty(): Promise<void> {
    await Promise.all(this.inWork);
  }

  private count(workspace: string, ops: 1 | -1, bytes: number): void {
    this.bytes += bytes;
    const left = (this.opsOf.get(workspace) ?? 0) + ops;
    if (left === 0) this.opsOf.delete(workspace);
    else this.opsOf.set(workspace, left);
  }
}
