import { z } from 'zod';

/** A whole number from 1 to `max`, with a default. */
export const countArgument = (max: number, preset: number, description: string) =>
  z.int().min(1).max(max).default(preset).describe(description);
