import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { assert } from '@cairn/kernel';
import type { Pool, PoolClient } from 'pg';
import { homeOf } from './home.js';
import type { Projection } from './projection.js';
import { PROJECTIONS } from './projections.js';
import {
  besideSlotName,
  dropSlotIn,
  inTransaction,
  layoutOf,
  nextSlotName,
  readSlots,
  rewriteSlotName,
  slotsWithTables,
  type Slot,
} from './slots.js';
import type { Stores } from './stores.js';

/**
 * What one build of Cairn writes into its read models. Builds with the same layouts share their read models; one with
 * another layout neither writes nor drops them, but fills its own beside them (ADR 0125).
 */
export interface Build {
  readonly id: string;
  readonly layouts: ReadonlyMap<string, string>;
}

export const buildOf = (stores: Stores): Build => {
  const layouts = new Map(
    PROJECTIONS.map((projection) => [projection.name, layoutOf(homeOf(projection, stores).shape)]),
  );
  const text = [...layouts].map(([name, layout]) => `${name} ${layout}`).join('\n');
  return { id: createHash('sha256').update(text).digest('hex').slice(0, 16), layouts };
};

/** A projection whose live version belongs to another build, or that has none yet. */
export interface Replaceable {
  readonly projection: Projection;
  readonly live: Slot | undefined;
  /** Where this build has its version until it goes live. */
  readonly beside: string;
}

/** The projections whose live version is not this build's. */
export const replaceable = async (pool: Pool, { layouts }: Build): Promise<Replaceable[]> => {
  const slots = await readSlots(pool, [...layouts.keys()]);
  return PROJECTIONS.flatMap((projection) => {
    const [live, layout] = [slots.get(projection.name), layouts.get(projection.name)!];
    return live?.layout === layout ? [] : [{ projection, live, beside: besideSlotName(projection.name, layout) }];
  });
};

/** No two versions of a projection have the same number, because it names the index of a version in OpenSearch. */
export const nextVersion = async (pool: Pool, projection: string): Promise<number> => {
  const { rows } = await pool.query<{ last: number }>(
    'select coalesce(max(version), 0) as last from cairn.projections where name = $1 or starts_with(name, $2)',
    [projection, `${projection}_`],
  );
  return rows[0]!.last + 1;
};

/** How long a version stays after the build that wrote it was replaced or has stopped filling it. */
const KEPT = '1 day';

/** Versions beside the live ones that no process has written to for that time. */
export const outdatedVersions = async (pool: Pool): Promise<{ projection: Projection; slot: string }[]> => {
  const found = await Promise.all(
    PROJECTIONS.map(async (projection) => {
      const { rows } = await pool.query<{ name: string }>(
        `select name from cairn.projections
         where starts_with(name, $1) and applied_at < now() - interval '${KEPT}'`,
        [besideSlotName(projection.name, '')],
      );
      return rows.map(({ name }) => ({ projection, slot: name }));
    }),
  );
  return found.flat();
};

interface BuildRow {
  readonly id: string;
  readonly isLive: boolean;
  /** Whether it has never been live, or was asked for since the live one took over. */
  readonly isAhead: boolean;
}

const BUILDS = `
select id, live_at is not null and live_at = last as "isLive",
  live_at is null or coalesce(wanted_at > last, false) as "isAhead"
from cairn.builds, (select max(live_at) as last from cairn.builds) as newest`;

/** How a build stands to the one that is live. */
export interface Standing {
  /** The build that is live, if one has recorded that it is. */
  readonly liveId: string | undefined;
  /**
   * True for a build that has never been live, and for one that an operator wants back. Another one was replaced: it takes
   * over only when no process of the live build is left.
   */
  readonly isAhead: boolean;
}

export const standingOf = async (pool: Pool, { id }: Build): Promise<Standing> => {
  const { rows } = await pool.query<BuildRow>(BUILDS);
  const liveId = rows.find(({ isLive }) => isLive)?.id;
  return { liveId, isAhead: rows.find((row) => row.id === id)?.isAhead ?? true };
};

const RECORD_LIVE = `
insert into cairn.builds (id, live_at) values ($1, clock_timestamp())
on conflict (id) do update set live_at = excluded.live_at`;

/** Records the build whose read models are live, in a database where none is recorded yet. */
export const recordLive = async (pool: Pool, { id }: Build): Promise<void> => {
  await pool.query(RECORD_LIVE, [id]);
};

/** Lets the build that was live before take over again. Returns false if there is none. */
export const wantPrevious = async (pool: Pool): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `update cairn.builds set wanted_at = clock_timestamp()
     where id = (select id from cairn.builds where live_at is not null order by live_at desc offset 1 limit 1)`,
  );
  return rowCount === 1;
};

/**
 * Skips to a position that the live version has reached: every entry between it and the last one is erased, so no
 * entry will ever lead there.
 */
export const passErased = async (pool: Pool, slot: string, last: number, reached: number): Promise<void> => {
  await pool.query('update cairn.projections set position = $3 where name = $1 and position = $2 and position < $3', [
    slot,
    last,
    reached,
  ]);
};

const LOOK_MS = 5;

const isBehind = async (client: PoolClient, versions: readonly Replaceable[]): Promise<boolean> => {
  const { rows } = await client.query<{ behind: boolean }>(
    `select coalesce(bool_or(n.name is null or n.position < l.position), false) as behind
     from unnest($1::text[], $2::text[]) as x(live, beside)
     left join cairn.projections l on l.name = x.live left join cairn.projections n on n.name = x.beside`,
    [versions.map(({ projection }) => projection.name), versions.map(({ beside }) => beside)],
  );
  return rows[0]!.behind;
};

interface Kept {
  readonly kept: string;
  readonly epoch: number;
  readonly generation: string | null;
}

/** Moves a live version beside the others. */
const keep = async (client: PoolClient, name: string): Promise<Kept | undefined> => {
  const { rows } = await client.query<{ layout: string | null; epoch: number; generation: string | null }>(
    'select layout, epoch, generation from cairn.projections where name = $1',
    [name],
  );
  if (!rows[0]) return undefined;
  const { layout, epoch, generation } = rows[0];
  const kept = besideSlotName(name, layout);
  await dropSlotIn(client, kept);
  await client.query('update cairn.projections set name = $2, applied_at = now() where name = $1', [name, kept]);
  if ((await slotsWithTables(client, [name])).length > 0) await client.query(`alter schema ${name} rename to ${kept}`);
  return { kept, epoch, generation };
};

const swap = async (client: PoolClient, { projection: { name }, beside }: Replaceable): Promise<void> => {
  // Made for the layout that is replaced, by an operator or by a purge.
  for (const unfinished of [nextSlotName(name), rewriteSlotName(name)]) await dropSlotIn(client, unfinished);
  const replaced = await keep(client, name);
  assert(replaced?.kept !== beside, `the live ${name} belongs to this build already`);
  // A version outside Postgres has no tables, and a generation of its own.
  const hasTables = (await slotsWithTables(client, [beside])).length > 0;
  await client.query(
    `update cairn.projections set name = $2, epoch = greatest(epoch, $3 + 1),
       generation = case when $4 then $5 else generation end where name = $1`,
    [beside, name, replaced?.epoch ?? 0, hasTables, replaced?.generation ?? null],
  );
  if (hasTables) await client.query(`alter schema ${beside} rename to ${name}`);
};

/** Live read models that only the build before has. */
const unknownOnes = async (client: PoolClient): Promise<string[]> => {
  const known = PROJECTIONS.flatMap(({ name }) => [name, nextSlotName(name), rewriteSlotName(name)]);
  // A reader without its own tables has no layout.
  const { rows } = await client.query<{ name: string }>(
    'select name from cairn.projections where layout is not null and name <> all ($1::text[]) and strpos(name, $2) = 0',
    [known, besideSlotName('', '')],
  );
  return rows.map(({ name }) => name);
};

export interface GoLiveOptions {
  /** How long the live versions may stand still. */
  readonly waitMs: number;
  /** Runs in the same transaction, when the versions have their names. */
  readonly atLast?: (client: PoolClient) => Promise<void>;
}

/**
 * Puts the versions of a build in the place of the live ones, all in one transaction, and keeps the replaced ones beside
 * them. Readers see the old versions up to the commit and the new ones after it; a process that still writes the old ones
 * is fenced. False when a live version is ahead, and did not wait for the other one within `waitMs`.
 */
export const goLive = (
  pool: Pool,
  build: Build,
  versions: readonly Replaceable[],
  { waitMs, atLast }: GoLiveOptions,
): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const lock = 'select name, layout from cairn.projections where name = any ($1::text[]) order by name for update';
    const names = versions.map(({ projection }) => projection.name);
    // From here on, the live versions stand still, and the others catch up.
    const { rows } = await client.query<{ name: string; layout: string | null }>(lock, [names]);
    const layouts = new Map(rows.map(({ name, layout }) => [name, layout]));
    // Others when another build has gone live meanwhile.
    if (versions.some(({ projection, live }) => layouts.get(projection.name) !== live?.layout)) return false;
    const deadline = performance.now() + waitMs;
    while (await isBehind(client, versions)) {
      if (performance.now() >= deadline) return false;
      await delay(LOOK_MS);
    }
    await client.query(lock, [versions.map(({ beside }) => beside)]);
    for (const version of versions) await swap(client, version);
    for (const unknown of await unknownOnes(client)) await keep(client, unknown);
    await atLast?.(client);
    await client.query(RECORD_LIVE, [build.id]);
    return true;
  });
