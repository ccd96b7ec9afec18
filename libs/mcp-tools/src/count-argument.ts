import { z } from 'zod';

/** How many results a tool returns, at least one. */
export const countArgument = (max: number, preset: number, description: string) =>
  z.int().min(1).max(max).default(preset).describe(description);
