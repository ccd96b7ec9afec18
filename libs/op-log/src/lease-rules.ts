/** What a lease says: who does the work, or no one. */
export interface LeaseRecord {
  readonly holder: string | null;
}

/** A record as this process has seen it. */
export interface SeenRecord extends LeaseRecord {
  readonly revision: number;
  /** When this process first saw this revision, by its own clock. */
  readonly sinceMs: number;
}

/** How long a lease lasts without a renewal. A takeover after a crash takes this long and one look more. */
export const LEASE_MS = 3_000;

/** Every renewal is another revision, so a record that stays the same for the whole time was not renewed. */
export const noted = (
  before: SeenRecord | undefined,
  found: (LeaseRecord & { readonly revision: number }) | undefined,
  nowMs: number,
): SeenRecord | undefined => {
  if (!found) return undefined;
  return before?.revision === found.revision ? before : { ...found, sinceMs: nowMs };
};

/** Clocks of different machines are never compared: a process only measures how long it has seen the same record. */
export const isFree = (seen: SeenRecord | undefined, nowMs: number): boolean =>
  seen === undefined || seen.holder === null || nowMs - seen.sinceMs >= LEASE_MS;
