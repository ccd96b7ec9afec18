import { createContext, use, useMemo, useState, type ReactNode } from 'react';
import { Api } from '../api/api.js';
import { ApiError } from '../api/api-error.js';

const STORAGE_KEY = 'cairn.token';

interface Session {
  readonly api: Api | undefined;
  /** Why the last session ended, when nobody asked for it. */
  readonly notice: string | undefined;
  readonly signIn: (token: string) => Promise<void>;
  readonly signOut: () => void;
}

const SessionContext = createContext<Session | undefined>(undefined);

const ignore = (): undefined => undefined;

/** Whether this token can be used here; anything else is thrown with the reason. */
const check = async (token: string): Promise<void> => {
  try {
    await new Api(token, ignore).get('/folders', { limit: 1 });
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    if (thrown.status === 401)
      throw new ApiError(401, thrown.code, 'This token is not known, has expired or was revoked.');
    if (thrown.status === 404)
      throw new ApiError(403, thrown.code, 'This token may not read: it needs the scope read or admin.');
    throw thrown;
  }
};

/** The token lives in sessionStorage: it ends with the tab and is sent to nobody but this gateway. */
export const SessionProvider = ({ children }: { readonly children: ReactNode }) => {
  const [token, setToken] = useState(() => sessionStorage.getItem(STORAGE_KEY) ?? undefined);
  const [notice, setNotice] = useState<string>();
  const session = useMemo((): Session => {
    const end = (reason?: string): void => {
      sessionStorage.removeItem(STORAGE_KEY);
      setToken(undefined);
      setNotice(reason);
    };
    return {
      api: token === undefined ? undefined : new Api(token, () => end('Your token has expired or was revoked.')),
      notice,
      signIn: async (given) => {
        await check(given);
        sessionStorage.setItem(STORAGE_KEY, given);
        setNotice(undefined);
        setToken(given);
      },
      signOut: () => end(),
    };
  }, [token, notice]);
  return <SessionContext value={session}>{children}</SessionContext>;
};

export const useSession = (): Session => {
  const session = use(SessionContext);
  if (!session) throw new Error('there is no SessionProvider above');
  return session;
};

/** For what is shown only to those who are signed in. */
export const useApi = (): Api => {
  const { api } = useSession();
  if (!api) throw new Error('nobody is signed in');
  return api;
};
