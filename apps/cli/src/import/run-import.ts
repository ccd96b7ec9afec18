import { UsageError } from '../exit.js';
import { failureOf, type FailedFile } from './failed-file.js';
import { ServerUnavailable, type RestClient } from '../rest/rest-client.js';
import type { FoundFile, Walk } from './walk-folder.js';

export type FileOutcome = 'imported' | 'known';

export interface ImportProgress {
  readonly files: number;
  readonly filesTotal: number;
  readonly bytes: number;
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
  /** Sends one file, or previews it. */
  readonly handle: (file: FoundFile) => Promise<FileOutcome>;
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

const sum = (files: readonly FoundFile[]): number => files.reduce((total, { bytes }) => total + bytes, 0);

/** Processes the files of a walk, a few at a time. A file that fails is recorded, and the others continue. */
export class Import {
  private readonly failed: FailedFile[] = [];
  private readonly started = performance.now();
  private readonly counts = { imported: 0, known: 0 };
  private readonly bytesTotal: number;
  private next = 0;
  private bytes = 0;
  private stopped: string | undefined;

  constructor(private readonly run: ImportRun) {
    this.bytesTotal = sum(run.walk.files);
  }

  get progress(): ImportProgress {
    const { imported, known } = this.counts;
    const { waiting } = this.run.client;
    return {
      files: imported + known + this.failed.length,
      filesTotal: this.run.walk.files.length,
      bytes: this.bytes,
      bytesTotal: this.bytesTotal,
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
      const file = this.stopped === undefined ? this.run.walk.files[this.next++] : undefined;
      if (!file) return;
      await this.take(file);
    }
  }

  private async take(file: FoundFile): Promise<void> {
    const { handle, signal } = this.run;
    try {
      this.counts[await handle(file)]++;
      this.bytes += file.bytes;
    } catch (thrown) {
      if (thrown instanceof UsageError) {
        this.stopped ??= thrown.message;
        throw thrown;
      }
      if (signal.aborted) this.stopped ??= 'interrupted';
      else if (thrown instanceof ServerUnavailable) this.stopped ??= thrown.message;
      else {
        this.failed.push(failureOf(file.path, thrown));
        this.bytes += file.bytes;
      }
    }
  }
}
