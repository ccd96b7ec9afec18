import { UsageError } from '../exit.js';
import { failureOf, type FailedFile } from './failed-file.js';
import { ServerUnavailable, type RestClient } from '../rest/rest-client.js';
import type { FoundFile, Walk } from './walk-folder.js';

export type FileOutcome = 'imported' | 'known';

export interface ImportProgress {
  readonly files: number;
  /** Those among the files that an earlier run imported; they cost no time. */
  readonly filesKnown: number;
  readonly filesTotal: number;
  readonly bytes: number;
  readonly bytesKnown: number;
  readonly bytesTotal: number;
  readonly seconds: number;
  /** While the run waits: what it waits for, and why. */
  readonly waiting?: string;
}

export interface ImportReport {
  readonly imported: number;
  /** Imported by an earlier run and unchanged since. */
  readonly known: number;
  readonly failed: readonly FailedFile[];
  /** Not tried, because the run ended first. */
  readonly left: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly bytes: number;
  readonly seconds: number;
  /** Why the run ended early, if it did. */
  readonly stopped?: string;
}

export interface ImportRun {
  readonly client: Pick<RestClient, 'waiting'>;
  readonly walk: Walk;
  /** The files that go together, in the order of the walk. */
  readonly groups: readonly (readonly FoundFile[])[];
  /** Sends the files of a group, or previews them. One outcome per file. */
  readonly handle: (files: readonly FoundFile[]) => Promise<readonly PromiseSettledResult<FileOutcome>[]>;
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

const sum = (files: readonly FoundFile[]): number => files.reduce((total, { bytes }) => total + bytes, 0);

/** Processes the groups of a walk, a few at a time. A file that fails is recorded, and the others continue. */
export class Import {
  private readonly failed: FailedFile[] = [];
  private readonly started = performance.now();
  private readonly counts = { imported: 0, known: 0 };
  private readonly bytes = { done: 0, known: 0, total: 0 };
  private next = 0;
  private stopped: string | undefined;

  constructor(private readonly run: ImportRun) {
    this.bytes.total = sum(run.walk.files);
  }

  get progress(): ImportProgress {
    const { imported, known } = this.counts;
    const { waiting } = this.run.client;
    return {
      files: imported + known + this.failed.length,
      filesKnown: known,
      filesTotal: this.run.walk.files.length,
      bytes: this.bytes.done,
      bytesKnown: this.bytes.known,
      bytesTotal: this.bytes.total,
      seconds: (performance.now() - this.started) / 1_000,
      ...(waiting === undefined ? {} : { waiting }),
    };
  }

  async complete(): Promise<ImportReport> {
    await Promise.all(Array.from({ length: this.run.concurrency }, () => this.work()));
    const { files, filesTotal, bytes, seconds } = this.progress;
    return {
      ...this.counts,
      failed: [...this.run.walk.failed, ...this.failed],
      left: filesTotal - files,
      skipped: this.run.walk.skipped,
      bytes,
      seconds,
      ...(this.stopped === undefined ? {} : { stopped: this.stopped }),
    };
  }

  private async work(): Promise<void> {
    for (;;) {
      if (this.run.signal.aborted) this.stopped ??= 'interrupted';
      const group = this.stopped === undefined ? this.run.groups[this.next++] : undefined;
      if (!group) return;
      const outcomes = await this.run.handle(group);
      outcomes.forEach((outcome, i) => this.record(group[i]!, outcome));
    }
  }

  private record(file: FoundFile, outcome: PromiseSettledResult<FileOutcome>): void {
    if (outcome.status === 'rejected') return this.recordFailure(file, outcome.reason);
    this.counts[outcome.value]++;
    this.bytes.done += file.bytes;
    if (outcome.value === 'known') this.bytes.known += file.bytes;
  }

  private recordFailure(file: FoundFile, thrown: unknown): void {
    if (thrown instanceof UsageError) {
      this.stopped ??= thrown.message;
      throw thrown;
    }
    if (this.run.signal.aborted) this.stopped ??= 'interrupted';
    else if (thrown instanceof ServerUnavailable) this.stopped ??= thrown.message;
    else {
      this.failed.push(failureOf(file.path, thrown));
      this.bytes.done += file.bytes;
    }
  }
}
