import type { Observation } from '@cairn/contracts';

/** An activity of ten kilometres on a day of January 2026. */
export const activity = (id: string | number, more: Partial<Observation> = {}): Observation => ({
  id: String(id),
  at: '2026-01-05T07:00:00.000Z',
  category: 'Run',
  metrics: { distance_meters: 10_000, activities: 1 },
  ...more,
});
