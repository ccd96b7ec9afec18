import { OPLOG_STREAM } from '@cairn/contracts';
import { assert } from '@cairn/kernel';
import { versionsReached } from './erasure/versions-beside.js';
import { homeOf } from './home.js';
import type { Projection } from './projection.js';
import { PROJECTIONS } from './projections.js';
import { readSlot } from './slots.js';
import type { Stores } from './stores.js';

/** Whether the projection commits in one transaction with the library, before a command is answered. */
export const commitsWithLibrary = (projection: Projection, stores: Stores): boolean =>
  projection.isAwaited && !homeOf(projection, stores).outside;

/**
 * The position that all followers of the op-log have reached, and all versions that other builds fill. Until one has
 * passed a forgetting, it may still write content of earlier ops. Infinity if there is none: the others apply a forgetting
 * together with the library.
 */
export const followersReached = async (stores: Stores): Promise<number> => {
  const followers = PROJECTIONS.filter(
    (projection) => projection.stream === OPLOG_STREAM && !commitsWithLibrary(projection, stores),
  );
  const positions = followers.map(async ({ name }) => {
    const slot = await readSlot(stores.pool, name);
    assert(slot, `projection ${name} has no checkpoint row`);
    return slot.checkpoint.position;
  });
  const versions = PROJECTIONS.map((projection) => versionsReached(stores.pool, projection));
  return Math.min(Infinity, ...(await Promise.all([...positions, ...versions])));
};
