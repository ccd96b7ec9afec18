import { OPLOG_STREAM } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import { decodeEnvelope, StreamReader, type StreamEntry, type StreamRefill } from '@cairn/op-log';
import type { Pool } from 'pg';
import { RefusedError } from '../exit.js';
import type { Explained } from '../oplog/chain-check.js';
import { archivedBodies } from '../oplog/verify.js';
import type { CheckedArchive } from './checked-archive.js';
import type { Progress } from './progress.js';

/** The part of the log that is already there. */
export interface StreamPrefix {
  /** Up to this position the stream has the ops of the archive. */
  readonly equalUpTo: number;
  /** Positions of forgotten ops that the stream still has, for example because it was restored from a backup. */
  readonly forgotten: readonly number[];
}

export interface PrefixOptions {
  readonly nats: NatsConnection;
  readonly pool: Pool;
  readonly stream: StreamRefill;
  readonly archive: CheckedArchive;
  readonly onProgress: Progress;
}

const BATCH = 500;
const READ_WAIT_MS = 5_000;

const differs = (position: number): RefusedError =>
  new RefusedError(
    `the stream OPLOG has another op at position ${position} than the archive: it is not the log of this database`,
  );

const isErased = ({ body, position }: StreamEntry, { op }: Explained): boolean =>
  decodeEnvelope(body, position).hash === op.hash;

/** Follows the stream from position 1 and compares it with the archive. */
class PrefixCheck {
  readonly forgotten: number[] = [];
  private position = 0;

  constructor(private readonly options: PrefixOptions) {}

  async take(entries: readonly StreamEntry[]): Promise<void> {
    const positions = entries.map(({ position }) => position);
    const bodies = await archivedBodies(this.options.pool, positions);
    for (const entry of entries) {
      this.passTo(entry.position - 1);
      this.compare(entry, bodies.get(entry.position));
      this.position = entry.position;
    }
  }

  /** Positions without a message are those of forgotten ops, or the log cannot be completed. */
  passTo(position: number): void {
    for (let hole = this.position + 1; hole <= position; hole++)
      if (!this.options.archive.explained.has(hole))
        throw new RefusedError(
          `the stream OPLOG lacks the op at position ${hole} and has later ones: only the end of a stream can be written again, so delete the stream first`,
        );
    this.position = Math.max(this.position, position);
  }

  private compare(entry: StreamEntry, archived: Buffer | undefined): void {
    const { position, subject, body } = entry;
    const { stream, archive } = this.options;
    const explained = archive.explained.get(position);
    if (!explained) {
      if (!archived?.equals(body)) throw differs(position);
      return;
    }
    if (!stream.isPlaceholder(subject) && !isErased(entry, explained)) throw differs(position);
    this.forgotten.push(position);
  }
}

/** Refuses a stream that is not a beginning of the archived log. Writes nothing. */
export const comparePrefix = async (options: PrefixOptions): Promise<StreamPrefix> => {
  const { nats, stream, archive, onProgress } = options;
  const { messages, last } = await stream.state();
  if (last > archive.head)
    throw new RefusedError(
      `the stream OPLOG ends at ${last}, behind the archive at ${archive.head}: it has ops that the archive lacks`,
    );
  const check = new PrefixCheck(options);
  if (messages > 0) {
    const reader = new StreamReader(nats, OPLOG_STREAM, 1, (entry) => entry);
    try {
      for (let read = 0; read < messages;) {
        const entries = await reader.next(BATCH, READ_WAIT_MS);
        if (entries.length === 0) throw new RefusedError('the stream OPLOG cannot be read to its end; try again');
        await check.take(entries);
        read += entries.length;
        onProgress('stream', entries.at(-1)!.position, last);
      }
    } finally {
      await reader.close();
    }
  }
  check.passTo(last);
  return { equalUpTo: last, forgotten: check.forgotten };
};
