/** The exit codes of the operator's commands; scripts rely on them. */
export const EXIT = { ok: 0, usage: 1, differences: 2, partial: 3, refused: 4 } as const;

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command was understood and refused. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}
