import { adviceOn, ApiError, asApiError } from '../api/api-error.js';

/** The note on the sign-in form that explains why the user is there. */
export interface Notice {
  readonly title: string;
  readonly advice?: string;
}

type Place = Pick<Window, 'location' | 'history'>;

const codeIn = (hash: string): string | null => new URLSearchParams(hash.slice(1)).get('code');

export const hasSignInCode = ({ location }: Place = window): boolean => codeIn(location.hash) !== null;

/** Takes the code of a sign-in link out of the address bar and the history before anything else happens. */
export const takeSignInCode = ({ location, history }: Place = window): string | undefined => {
  const code = codeIn(location.hash);
  if (code === null) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  return code;
};

/** The server does not report which reason applies, so all of them are listed. */
const NO_LONGER_GOOD: Notice = {
  title: 'This sign-in link has been used or has expired.',
  advice: 'Get a new link with `npx cairn link`, or sign in with the token in CAIRN_HOME/admin-token.',
};

const failure = (thrown: unknown): Notice => {
  const error = asApiError(thrown);
  return { title: error.message, advice: adviceOn(error) };
};

const isRefusal = (thrown: unknown): boolean =>
  thrown instanceof ApiError && (thrown.status === 400 || thrown.status === 401);

interface Steps {
  readonly redeem: (code: string) => Promise<string>;
  readonly signIn: (token: string) => Promise<void>;
}

/** Signs in with a code. Returns a notice that explains a failure and the next step. */
export const followSignInCode = async (code: string, { redeem, signIn }: Steps): Promise<Notice | undefined> =>
  redeem(code).then(
    (token) => signIn(token).then(() => undefined, failure),
    (thrown: unknown) => (isRefusal(thrown) ? NO_LONGER_GOOD : failure(thrown)),
  );
