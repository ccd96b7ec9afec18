import { z } from 'zod';
import { Position } from './answer.js';
import { defineCommand } from './command-definition.js';
import { OBSERVATIONS_PER_IMPORT_MAX, PURGED_BATCHES_PER_COMMAND_MAX } from './limits.js';
import { Observation } from './series-words.js';
import { IsoTime, Uuid } from './text.js';

/** Rows of an account's file, as its connector read them. Rows that already exist are not stored again. */
export const ImportObservations = defineCommand(
  'observations.import',
  z.strictObject({ accountId: Uuid, rows: z.array(Observation).min(1).max(OBSERVATIONS_PER_IMPORT_MAX) }),
  z.strictObject({
    rows: z.int().min(0).describe('Rows that were stored.'),
    duplicates: z.int().min(0).describe('Rows that were there already, or that a purge has removed.'),
    items: z.int().min(0),
    position: Position,
  }),
);

/** Forgets the rows before a time, a bounded number of batches per command: it is sent again while `more` is true. */
export const PurgeObservations = defineCommand(
  'observations.purge',
  z.strictObject({
    accountId: Uuid,
    /** If absent, all rows are forgotten. */
    before: IsoTime.optional(),
    /** Whether daily totals of the rows are kept. */
    keepAggregates: z.boolean(),
  }),
  z.strictObject({
    rows: z.int().min(0),
    rollups: z.int().min(0),
    receiptIds: z.array(Uuid).max(PURGED_BATCHES_PER_COMMAND_MAX),
    more: z.boolean(),
    position: Position,
  }),
);
