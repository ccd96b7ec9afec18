import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { Api, redeemCode } from '../api/api.js';
import { ApiError } from '../api/api-error.js';
import { followSignInCode, hasSignInCode, takeSignInCode, type Notice } from './sign-in-link.js';

const STORAGE_KEY = 'cairn.token';
const ENDED: Notice = { title: 'Your token has expired or was revoked.' };

interface Session {
  readonly api: Api | undefined;
  /** Why the last session ended, when nobody asked for it, or why a link did not begin one. */
  readonly notice: Notice | undefined;
  /** A sign-in link is being tried: who is signed in is known in a moment. */
  readonly isFollowing: boolean;
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

/** Tries the sign-in link that led here, or that was pasted into the address bar of this very page. */
const useSignInLink = (signIn: (token: string) => Promise<void>, tell: (notice: Notice) => void): boolean => {
  const [isFollowing, setFollowing] = useState(() => hasSignInCode());
  useEffect(() => {
    const follow = (): void => {
      const code = takeSignInCode();
      if (code === undefined) return;
      setFollowing(true);
      void followSignInCode(code, { redeem: redeemCode, signIn }).then((notice) => {
        if (notice) tell(notice);
        setFollowing(false);
      });
    };
    follow();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [signIn, tell]);
  return isFollowing;
};

/** The token lives in sessionStorage: it ends with the tab and is sent to nobody but this gateway. */
export const SessionProvider = ({ children }: { readonly children: ReactNode }) => {
  const [token, setToken] = useState(() => sessionStorage.getItem(STORAGE_KEY) ?? undefined);
  const [notice, setNotice] = useState<Notice>();
  const signIn = useCallback(async (given: string): Promise<void> => {
    await check(given);
    sessionStorage.setItem(STORAGE_KEY, given);
    setNotice(undefined);
    setToken(given);
  }, []);
  const isFollowing = useSignInLink(signIn, setNotice);
  const session = useMemo((): Session => {
    const end = (reason?: Notice): void => {
      sessionStorage.removeItem(STORAGE_KEY);
      setToken(undefined);
      setNotice(reason);
    };
    return {
      api: token === undefined ? undefined : new Api(token, () => end(ENDED)),
      notice,
      isFollowing,
      signIn,
      signOut: () => end(),
    };
  }, [token, notice, isFollowing, signIn]);
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
