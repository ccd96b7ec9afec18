import { fail, type ProjectionView } from '@cairn/contracts';
import { systemClock, type Clock } from '@cairn/kernel';
import { readRows } from '@cairn/persistence';
import { PROJECTIONS, type Projection } from '@cairn/projections';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@cairn/messaging';
import type { Pool } from 'pg';

interface ProjectionRow {
  readonly name: string;
  readonly version: number;
  readonly position: string;
}

/** Versions that are being built beside the live ones have their own names and are not shown. */
const LIVE = `
select name, version, position
  from cairn.projections
  where name = any ($1::text[])
  order by name`;

const CHECKPOINT = 'select position from cairn.projections where name = $1';

/** The position of each projection, and the head of its log. */
export class ProjectionReader {
  constructor(
    private readonly pool: Pool,
    private readonly nats: NatsConnection,
    private readonly clock: Clock = systemClock,
  ) {}

  async checkpoint(projection: string): Promise<number> {
    const [row] = await readRows<{ position: string }>(this.pool, CHECKPOINT, [projection]);
    return Number(row?.position ?? 0);
  }

  async list(): Promise<ProjectionView[]> {
    const rows = await readRows<ProjectionRow>(this.pool, LIVE, [PROJECTIONS.map(({ name }) => name)]);
    try {
      const manager = await jetstreamManager(this.nats);
      return await Promise.all(
        rows.map((row) =>
          this.view(
            manager,
            row,
            PROJECTIONS.find(({ name }) => name === row.name)!,
          ),
        ),
      );
    } catch (thrown) {
      throw fail('oplog.unavailable', 'the broker is unavailable; try again', {}, thrown);
    }
  }

  private async view(
    manager: JetStreamManager,
    { name, version, position }: ProjectionRow,
    { stream }: Projection,
  ): Promise<ProjectionView> {
    const checkpoint = Number(position);
    const head = (await manager.streams.info(stream)).state.last_seq;
    const behind = Math.max(0, head - checkpoint);
    const age = behind === 0 ? undefined : await this.ageOfNext(manager, stream, checkpoint + 1);
    // No entries are left up to the head: they were erased before this projection reached them.
    const lagOps = age === undefined ? 0 : behind;
    return { name, version, stream, checkpoint, head, lagOps, lagSeconds: age ?? 0 };
  }

  /** Erased messages leave a gap, so the next message need not have the next number. */
  private async ageOfNext(manager: JetStreamManager, stream: string, seq: number): Promise<number | undefined> {
    const next = await manager.direct.getMessage(stream, { seq, next_by_subj: '>' });
    return next ? Math.max(0, (this.clock.now() - next.time.getTime()) / 1_000) : undefined;
  }
}
