import type { CommandResult, Observation, Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { querySeries } from '@cairn/retrieval';
import { readerOf } from '@cairn/access';
import type { IngestUnderTest } from '../ingest-under-test.harness.js';

/** An account of a connector, with nothing imported yet. */
export const connectAccount = async (
  ingest: IngestUnderTest,
  admin: Principal,
  connectorId = 'strava',
): Promise<string> => {
  const { accountId } = await ingest.command(admin, 'account.connect', {
    accountId: systemIds.next(),
    connectorId,
    label: 'An account',
    retention: 'metadata',
    hydrate: true,
    confirm: 'never',
    batchTokensMax: 4_000,
    settings: {},
    multiAccount: true,
  });
  return accountId;
};

/** An activity on a day of 2026, counted from 0. */
export const activityOn = (day: number, id: string | number = day, more: Partial<Observation> = {}): Observation => ({
  id: String(id),
  at: new Date(Date.UTC(2026, 0, 1 + day, 7)).toISOString(),
  category: day % 3 === 0 ? 'Ride' : 'Run',
  metrics: { distance_meters: 1_000 + day / 10, activities: 1 },
  ...more,
});

export const imported = (
  ingest: IngestUnderTest,
  admin: Principal,
  accountId: string,
  rows: readonly Observation[],
): Promise<CommandResult<'observations.import'>> =>
  ingest.command(admin, 'observations.import', { accountId, rows: [...rows] });

export const WHOLE_YEAR = { from: '2026-01-01', to: '2027-01-01' };

/** The distances as the caller sees them. */
export const distances = (ingest: IngestUnderTest, principal: Principal, groupBy?: string, range = WHOLE_YEAR) =>
  querySeries({ pool: ingest.pool, inTurn: (statement) => statement() }, readerOf(principal, 'mcp'), {
    source: 'strava',
    metric: 'distance_meters',
    range,
    ...(groupBy !== undefined && { groupBy }),
  });
