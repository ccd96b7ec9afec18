import { assert } from '@cairn/kernel';
import type { Checkpoint, ProjectionTarget } from '@cairn/op-log';
import { databaseError, inOnePiece, StatementNames } from '@cairn/persistence';
import type { Pool, PoolClient } from 'pg';
import type { Handler, StatementSink, Write } from './projection.js';
import { readSlot } from './slots.js';

export interface Member<T> {
  readonly slot: string;
  readonly handler: Handler<T>;
}

interface PreparedBatch<T> {
  readonly behind: readonly Member<T>[];
  readonly writes: readonly Write[];
}

/** Raised by cairn.move_checkpoint. */
const FENCED = 'CAF01';

/** Sends statements one after the other; only the first failure matters, because the others follow from it. */
class Pipeline implements StatementSink {
  private readonly sent: Promise<unknown>[] = [];
  private readonly names: StatementNames;

  constructor(private readonly client: PoolClient) {
    this.names = StatementNames.of(client);
  }

  query(text: string, values: readonly unknown[] = []): Promise<unknown> {
    const promise = this.client.query({ name: this.names.nameOf(text), text, values: values as unknown[] });
    this.sent.push(promise);
    return promise;
  }

  async settled(): Promise<void> {
    const outcomes = await Promise.allSettled(this.sent);
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure) throw failure.reason;
  }
}

/**
 * Several projections of one log that commit together: rows and checkpoints of all in one transaction. A member that is
 * ahead of the others (it was rebuilt) skips entries that it has already applied.
 */
export class PostgresTarget<T extends { readonly position: number }> implements ProjectionTarget<T> {
  readonly name: string;
  private reached = new Map<string, Checkpoint>();
  private readonly announced = new WeakMap<readonly T[], Promise<PreparedBatch<T>>>();

  constructor(
    private readonly pool: Pool,
    private readonly members: readonly Member<T>[],
  ) {
    this.name = members.map(({ slot }) => slot).join('+');
  }

  async checkpoint(): Promise<Checkpoint> {
    try {
      for (const { slot } of this.members) {
        const found = await readSlot(this.pool, slot);
        assert(found, `projection ${slot} has no checkpoint row`);
        this.reached.set(slot, found.checkpoint);
      }
    } catch (thrown) {
      throw databaseError(thrown);
    }
    return { position: Math.min(...[...this.reached.values()].map(({ position }) => position)), epoch: 0 };
  }

  announce(entries: readonly T[]): void {
    const batch = this.prepare(entries);
    // `apply` reports a failure; until then the rejection must not count as unhandled.
    batch.catch(() => undefined);
    this.announced.set(entries, batch);
  }

  async apply(entries: readonly T[], _expected: Checkpoint, last: number): Promise<'applied' | 'fenced'> {
    const { behind, writes } = await (this.announced.get(entries) ?? this.prepare(entries));
    try {
      await this.commit(behind, writes, last);
    } catch (thrown) {
      if ((thrown as { code?: string }).code === FENCED) return 'fenced';
      throw databaseError(thrown);
    }
    for (const { slot } of behind) this.reached.set(slot, { ...this.reached.get(slot)!, position: last });
    return 'applied';
  }

  /**
   * The members that are behind the last entry, and the rows that they have to write. Applying the previous batch does
   * not change the answer: it moves members to an entry before all of these.
   */
  private async prepare(entries: readonly T[]): Promise<PreparedBatch<T>> {
    const last = entries.at(-1)!.position;
    const behind = this.members.filter(({ slot }) => this.reached.get(slot)!.position < last);
    const writes = await Promise.all(
      behind.map(({ handler, slot }) => {
        const { position } = this.reached.get(slot)!;
        return handler.prepare(entries.filter((entry) => entry.position > position));
      }),
    );
    return { behind, writes };
  }

  private async commit(behind: readonly Member<T>[], writes: readonly Write[], last: number): Promise<void> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      const db = new Pipeline(client);
      inOnePiece(client, () => {
        void db.query('begin');
        const slots = behind.map(({ slot }) => ({ slot, ...this.reached.get(slot)! }));
        void db.query(
          'select cairn.move_checkpoint(slot, position, epoch, $4) from unnest($1::text[], $2::bigint[], $3::int[]) as x(slot, position, epoch)',
          [slots.map(({ slot }) => slot), slots.map(({ position }) => position), slots.map(({ epoch }) => epoch), last],
        );
        for (const [i, { slot }] of behind.entries()) writes[i]!(db, slot);
        void db.query('commit');
      });
      await db.settled();
    } catch (thrown) {
      broken = thrown as Error;
      throw thrown;
    } finally {
      // After a failure the connection may still be in the aborted transaction, so it is not used again.
      client.release(broken);
    }
  }
}
