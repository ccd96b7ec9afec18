import { systemClock, type Clock } from '@cairn/kernel';
import { liveKeywordIndex } from '@cairn/projections';
import type { Pool } from 'pg';

/** A name that is outdated is noticed at once, because its index is gone; one of an index that was set back is not. */
const READ_AGAIN_MS = 1_000;

/** The name of the index that searches use now. */
export interface IndexInUse {
  /** Throws `lexical.unavailable` while the index is incomplete. */
  name(): Promise<string>;
  /** The name as it is now, after OpenSearch did not know the previous one. */
  renewed(): Promise<string>;
}

/** Reads the name from the checkpoint of the projection, once a second at most. */
export class KeywordIndexInUse implements IndexInUse {
  private last: { readonly name: Promise<string>; readonly atMs: number } | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock = systemClock,
  ) {}

  name(): Promise<string> {
    const isRecent = this.last !== undefined && this.clock.now() - this.last.atMs < READ_AGAIN_MS;
    return isRecent ? this.last!.name : this.renewed();
  }

  renewed(): Promise<string> {
    const name = liveKeywordIndex(this.pool);
    this.last = { name, atMs: this.clock.now() };
    return name;
  }
}
