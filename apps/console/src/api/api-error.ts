/** An error answer of the server; the code is 'network' when there was no answer at all. */
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

/** The next step for each kind of error. */
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

/** An address without a valid id is treated like the id of something that no longer exists. */
export const isMissing = ({ status, field }: Pick<ApiError, 'status' | 'field'>): boolean =>
  status === 404 || (status === 400 && field === 'id');

/** The message as shown below its field. The field has a label of its own, so its name is removed from the message. */
export const messageAtField = ({ field = '', message }: Pick<ApiError, 'field' | 'message'>): string => {
  if (field === '' || !message.startsWith(`${field} `)) return message;
  const rest = message.slice(field.length + 1);
  const entry = /\[(\d+)\]$/.exec(field)?.[1];
  return entry === undefined ? `${rest.charAt(0).toUpperCase()}${rest.slice(1)}` : `Line ${Number(entry) + 1} ${rest}`;
};

export const asApiError = (thrown: unknown): ApiError =>
  thrown instanceof ApiError ? thrown : new ApiError(0, 'network', 'the server cannot be reached');
