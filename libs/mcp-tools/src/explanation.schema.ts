import { z } from 'zod';

/** Enough to redo the sum by hand: the contributions add up to the hit's score. */
export const ExplanationSchema = z
  .strictObject({
    fusion: z.string().describe('Name of the fusion method.'),
    legs: z.array(
      z.strictObject({
        leg: z.enum(['vector', 'bm25', 'fulltext', 'title']),
        rank: z.int().nullable().describe('From 1; null where this leg did not return the hit.'),
        rawScore: z.number().nullable(),
        normalizedScore: z.number(),
        weight: z.number(),
        contribution: z.number(),
      }),
    ),
  })
  .describe('Only with explain: true.');

export const explainArgument = z
  .boolean()
  .default(false)
  .describe('Also return, for each hit, how its score came about: rank, raw and normalised score per search leg.');
