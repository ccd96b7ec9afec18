import { SUBSTRATES } from '@cairn/graph';
import { z } from 'zod';
import { defineConnector } from './connector.js';
import { readSeriesFile } from './series/read-rows.js';

const substrateTable = SUBSTRATES.tidal;

/** Reads listens as CSV or JSON. */
export const tidal = defineConnector({
  manifest: {
    id: 'tidal',
    name: 'Tidal',
    capabilities: ['import'],
    multiAccount: true,
    retention: 'metadata',
    settings: z.strictObject({}),
    substrateTable,
  },
  parse: (file) => readSeriesFile(file, substrateTable),
});
