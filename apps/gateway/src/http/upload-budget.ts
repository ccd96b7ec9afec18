import { fail, UPLOADS_HELD_BYTES_MAX } from '@cairn/contracts';

/** A share of the budget, released as a whole. */
export interface HeldBytes {
  take(bytes: number): void;
  release(): void;
}

/** The memory of all uploads in flight. It counts bytes, not uploads, so a slow small upload blocks no one. */
export class UploadBudget {
  private held = 0;

  constructor(private readonly bytesMax: number = UPLOADS_HELD_BYTES_MAX) {}

  open(): HeldBytes {
    let own = 0;
    return {
      take: (bytes) => {
        if (this.held + bytes > this.bytesMax)
          throw fail('busy', `uploads in flight hold ${this.bytesMax} bytes already; try again`, {
            limit: this.bytesMax,
          });
        this.held += bytes;
        own += bytes;
      },
      release: () => {
        this.held -= own;
        own = 0;
      },
    };
  }
}
