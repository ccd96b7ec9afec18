import { buildOf, ensureSlot, homeOf, nextVersion, readSlot, replaceable, type Replaceable } from '@cairn/projections';
import type { Pool } from 'pg';
import type { Engines } from '../connection.js';
import { fill, headOf, projectorOf, withProgress, type RebuildProgress } from './rebuild.js';

export interface WarmedUp {
  readonly projection: string;
  readonly ops: number;
  readonly seconds: number;
}

/** False before the first start of any version. */
const hasReadModels = async (pool: Pool): Promise<boolean> => {
  const { rows } = await pool.query<{ found: boolean }>(`select to_regclass('cairn.projections') is not null as found`);
  return rows[0]!.found;
};

const warmUpOne = async (
  engines: Engines,
  { projection, live, beside }: Replaceable,
  onProgress: (progress: RebuildProgress) => void,
): Promise<WarmedUp> => {
  const { pool } = engines;
  const version = await nextVersion(pool, projection.name);
  const slot = { name: beside, version, epoch: (live?.checkpoint.epoch ?? 0) + 1 };
  await ensureSlot(pool, homeOf(projection, engines).shape, slot, { indexes: 'later' });
  const before = (await readSlot(pool, beside))!.checkpoint.position;
  const head = await headOf(engines, projection);
  const projector = projectorOf(engines, projection, beside);
  const seconds = await withProgress(projector, head, onProgress, () =>
    fill(engines, projection, beside, projector, head),
  );
  return { projection: projection.name, ops: Math.max(0, head - before), seconds };
};

/**
 * Fills the read models of this build beside the live ones of another build, up to now. The live ones stay as they are;
 * an ingest of this build applies what is written later, and swaps them. An interrupted run resumes where it stopped.
 */
export const warmUp = async (
  engines: Engines,
  onProgress: (projection: string, progress: RebuildProgress) => void,
): Promise<WarmedUp[]> => {
  if (!(await hasReadModels(engines.pool))) return [];
  const filled: WarmedUp[] = [];
  for (const other of await replaceable(engines.pool, buildOf(engines)))
    filled.push(await warmUpOne(engines, other, (progress) => onProgress(other.projection.name, progress)));
  return filled;
};
