import { z } from 'zod';

export const explainArgument = z
  .boolean()
  .default(false)
  .describe('Also return, for each hit, how its score came about: rank, raw and normalised score per search leg.');
