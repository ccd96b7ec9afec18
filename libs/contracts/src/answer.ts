import { z } from 'zod';
import { Tier } from './principal.js';

type Immutable<T> = T extends readonly (infer U)[]
  ? readonly Immutable<U>[]
  : T extends object
    ? { readonly [K in keyof T]: Immutable<T[K]> }
    : T;

/**
 * The type of a message between services, as its receiver may use it. Answers are not parsed: Cairn's own services
 * build them to this type.
 */
export type Wire<S extends z.ZodType> = Immutable<z.output<S>>;

export const Id = z.uuid();
export const Time = z.iso.datetime();

/** Every command answers with the log position at which its effect is visible. */
export const Position = z.int().min(0).describe('Position in the op-log at which the change is visible.');

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe('Give it as cursor for the next page.'),
  });

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/**
 * Travels with everything that is in a folder, as far as the gateway. The gateway's last check compares it with the
 * caller, then removes it from the answer. An entry without it is not shown.
 */
export const placement = { placement: z.object({ workspaceId: Id, tier: Tier }).exactOptional() };

const Placed = z.object({ folderId: z.string(), ...placement });
export type Placed = Wire<typeof Placed>;
/** The fields that every entry of a folder has in addition to its own. */
export const placed = Placed.shape;
