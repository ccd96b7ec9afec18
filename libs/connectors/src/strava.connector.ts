import { SUBSTRATES } from '@cairn/graph';
import { z } from 'zod';
import { defineConnector } from './connector.js';
import { readSeriesFile } from './series/read-rows.js';

const substrateTable = SUBSTRATES.strava;

/** Reads activities.csv of an export, or the JSON list of activities that the API returns. */
export const strava = defineConnector({
  manifest: {
    id: 'strava',
    name: 'Strava',
    capabilities: ['import'],
    multiAccount: true,
    retention: 'metadata',
    settings: z.strictObject({}),
    substrateTable,
  },
  parse: (file) => readSeriesFile(file, substrateTable),
});
