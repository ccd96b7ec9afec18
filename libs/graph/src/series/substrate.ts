import { fail, type Aggregation } from '@cairn/contracts';

export interface Metric {
  readonly unit: string;
  readonly aggregation: Aggregation;
  /** Names of the metric's column in a file, matched regardless of case, spaces and underscores. */
  readonly from?: readonly string[];
  /** The value of every row, for a metric that counts rows. */
  readonly constant?: number;
}

/** A column of the table, and its possible names in files. */
export interface SubstrateColumn {
  readonly name: string;
  readonly from: readonly string[];
}

/** A table of observations, as the manifest of its connector declares it. */
export interface SubstrateTable {
  readonly name: string;
  /** The column that identifies a row within an account. */
  readonly key: SubstrateColumn;
  readonly at: SubstrateColumn;
  readonly category: SubstrateColumn;
  readonly metrics: Readonly<Record<string, Metric>>;
}

const STRAVA_ACTIVITIES: SubstrateTable = {
  name: 'strava_activities',
  key: { name: 'activity_id', from: ['Activity ID', 'id'] },
  at: { name: 'started_at', from: ['Activity Date', 'start_date'] },
  category: { name: 'activity_type', from: ['Activity Type', 'sport_type', 'type'] },
  metrics: {
    // An export has this column twice: in kilometres for people, then in metres. The last one counts.
    distance_meters: { unit: 'm', from: ['Distance', 'distance_meters'], aggregation: 'sum' },
    moving_time_seconds: { unit: 's', from: ['Moving Time', 'moving_time_seconds'], aggregation: 'sum' },
    elevation_gain_meters: {
      unit: 'm',
      from: ['Elevation Gain', 'total_elevation_gain', 'elevation_gain_meters'],
      aggregation: 'sum',
    },
    activities: { unit: '1', constant: 1, aggregation: 'sum' },
  },
};

const TIDAL_LISTENS: SubstrateTable = {
  name: 'tidal_listens',
  key: { name: 'listen_id', from: ['id', 'listen_id', 'play_id', 'event_id'] },
  at: { name: 'listened_at', from: ['listened_at', 'played_at', 'timestamp', 'date', 'time'] },
  category: { name: 'artist', from: ['artist', 'artist_name', 'artists'] },
  metrics: {
    listen_seconds: {
      unit: 's',
      from: ['listen_seconds', 'seconds', 'seconds_played', 'duration_seconds', 'listened_seconds', 'duration'],
      aggregation: 'sum',
    },
    plays: { unit: '1', constant: 1, aggregation: 'sum' },
  },
};

/** Every substrate, by the connector that declares it. */
export const SUBSTRATES = { strava: STRAVA_ACTIVITIES, tidal: TIDAL_LISTENS } as const satisfies Readonly<
  Record<string, SubstrateTable>
>;

const tables = new Map<string, SubstrateTable>(Object.entries(SUBSTRATES));

export const substrateOf = (source: string): SubstrateTable | undefined => tables.get(source);

const listed = (names: Iterable<string>): string => [...names].join(', ');

/** The table of a source that a caller has named. */
export const requiredSubstrate = (source: string): SubstrateTable => {
  const table = substrateOf(source);
  if (table) return table;
  const sources = [...tables.keys()];
  throw fail('series.unknown_source', `no connector declares a table for this source; sources: ${listed(sources)}`, {
    field: 'source',
    sources,
  });
};

export const requiredMetric = (table: SubstrateTable, name: string): Metric => {
  const metrics = Object.keys(table.metrics);
  const metric = Object.hasOwn(table.metrics, name) ? table.metrics[name] : undefined;
  if (metric) return metric;
  throw fail('series.unknown_metric', `${table.name} has no such metric; metrics: ${listed(metrics)}`, {
    field: 'metric',
    metrics,
  });
};

export const TIME_GROUPS = ['day', 'week', 'month'] as const;
export type TimeGroup = (typeof TIME_GROUPS)[number];
/** How rows are grouped; null combines all of them into one row. */
export type Grouping = TimeGroup | 'category' | null;

export const groupingOf = (table: SubstrateTable, groupBy: string | undefined): Grouping => {
  if (groupBy === undefined) return null;
  const time = TIME_GROUPS.find((group) => group === groupBy);
  if (time) return time;
  if (groupBy === table.category.name) return 'category';
  const groups = [...TIME_GROUPS, table.category.name];
  throw fail('series.unknown_group', `${table.name} cannot be grouped by this; groups: ${listed(groups)}`, {
    field: 'group_by',
    groups,
  });
};
