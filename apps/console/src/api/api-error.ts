/** What the server answered instead of what was asked; code 'network' when there was no answer at all. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly field?: string,
  ) {
    super(message);
  }
}

interface ErrorBody {
  readonly error?: { readonly code?: string; readonly message?: string; readonly field?: string };
}

export const apiErrorOf = (status: number, body: unknown): ApiError => {
  const { error } = (body ?? {}) as ErrorBody;
  return new ApiError(
    status,
    error?.code ?? 'unknown',
    error?.message ?? `the server answered ${status}`,
    error?.field,
  );
};

/** What to do next, by what went wrong. */
export const adviceOn = ({ status, code }: ApiError): string => {
  if (code === 'network') return 'Check that Cairn is running, then try again.';
  if (status === 401) return 'Sign in again with a token that is still valid.';
  if (code === 'route.not_found') return 'This needs a token with the admin scope: sign in with one.';
  if (status === 404) return 'It may have been forgotten or moved out of reach. Go back to the list.';
  if (status === 409) return 'Someone else changed this first. Reload to see the current state.';
  if (status === 429 || code === 'busy') return 'Too much at once: wait a moment, then try again.';
  if (status >= 500) return 'Try again. When it stays, look at System and at the log of the server.';
  return 'Change it and try again.';
};

export const asApiError = (thrown: unknown): ApiError =>
  thrown instanceof ApiError ? thrown : new ApiError(0, 'network', 'the server cannot be reached');
