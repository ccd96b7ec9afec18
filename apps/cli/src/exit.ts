/** What the exit code of an operator's command means; scripts rely on it. */
export const EXIT = { ok: 0, usage: 1, differences: 2, partial: 3, refused: 4 } as const;

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command understood what was asked and will not do it. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}
