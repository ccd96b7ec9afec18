import { z } from 'zod';
import { CURSOR_CHARS_MAX, PAGE_LIMIT_MAX } from './limits.js';
import type { Tier } from './principal.js';
import { text } from './text.js';

export interface QueryDefinition<T extends string, S extends z.ZodType, R> {
  readonly type: T;
  readonly schema: S;
  /** Carries the answer's type only; answers come from our own services and are trusted. */
  readonly answer?: R;
}

export const defineQuery =
  <R>() =>
  <T extends string, S extends z.ZodType>(type: T, schema: S): QueryDefinition<T, S, R> => ({ type, schema });

/**
 * Beside everything that lies in a folder, on the way to the gateway: its last look compares this with who asks, and
 * takes it off the answer. What comes without it is not shown.
 */
export interface Placed {
  readonly folderId: string;
  readonly placement?: { readonly workspaceId: string; readonly tier: Tier };
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** What every list takes. */
export const page = { limit: z.int().min(1).max(PAGE_LIMIT_MAX), cursor: text(1, CURSOR_CHARS_MAX).optional() };
