import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { Api, redeemCode } from '../api/api.js';
import { ApiError } from '../api/api-error.js';
import type { Rights, Scope } from '../api/answers.js';
import { KeptSession } from './kept-session.js';
import { followSignInCode, hasSignInCode, takeSignInCode, type Notice } from './sign-in-link.js';

const ENDED: Notice = { title: 'Your token has expired or was revoked.' };

interface Session {
  readonly api: Api | undefined;
  readonly rights: Rights | undefined;
  /** Why the last session ended without a sign-out, or why a link did not start one. */
  readonly notice: Notice | undefined;
  /** True while a sign-in link is being redeemed: whether it signs in is not known yet. */
  readonly isFollowing: boolean;
  readonly signIn: (token: string) => Promise<void>;
  readonly signOut: () => void;
}

const SessionContext = createContext<Session | undefined>(undefined);

const ignore = (): undefined => undefined;

const kept = new KeptSession();

/** The session of this tab, shared with every other tab of this browser. */
const useKeptSession = () => {
  const [signedIn, setSignedIn] = useState(() => kept.read());
  useEffect(() => {
    const follow = (): void => {
      const next = kept.read();
      setSignedIn((current) => (current?.token === next?.token ? current : next));
    };
    return kept.follow(follow);
  }, []);
  return [signedIn, setSignedIn] as const;
};

/** The rights of this token; throws with the reason if it has none here. */
const rightsOf = async (token: string): Promise<Rights> => {
  try {
    return await new Api(token, ignore).call('GET /whoami');
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    if (thrown.status === 401)
      throw new ApiError(401, thrown.code, 'This token is not known, has expired or was revoked.');
    if (thrown.status === 404)
      throw new ApiError(403, thrown.code, 'This token may not read: it needs the scope read or admin.');
    throw thrown;
  }
};

/** Redeems the sign-in link that opened this page, or that was pasted into its address bar. */
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

/** The token is sent to this gateway only, and the browser keeps it until the user signs out. */
export const SessionProvider = ({ children }: { readonly children: ReactNode }) => {
  const [signedIn, setSignedIn] = useKeptSession();
  const [notice, setNotice] = useState<Notice>();
  const signIn = useCallback(
    async (token: string): Promise<void> => {
      const next = { token, rights: await rightsOf(token) };
      kept.write(next);
      setNotice(undefined);
      setSignedIn(next);
    },
    [setSignedIn],
  );
  const isFollowing = useSignInLink(signIn, setNotice);
  const session = useMemo((): Session => {
    const end = (reason?: Notice): void => {
      kept.clear(signedIn?.token);
      // Another tab may have signed in with another token in the meantime.
      setSignedIn(kept.read());
      setNotice(reason);
    };
    return {
      api: signedIn && new Api(signedIn.token, () => end(ENDED)),
      rights: signedIn?.rights,
      notice,
      isFollowing,
      signIn,
      signOut: () => end(),
    };
  }, [signedIn, setSignedIn, notice, isFollowing, signIn]);
  return <SessionContext value={session}>{children}</SessionContext>;
};

export const useSession = (): Session => {
  const session = use(SessionContext);
  if (!session) throw new Error('there is no SessionProvider above');
  return session;
};

/** For components that are shown only to signed-in users. */
export const useApi = (): Api => {
  const { api } = useSession();
  if (!api) throw new Error('no session: sign in first');
  return api;
};

/** What the signed-in user may see. The server decides in any case; this only avoids requests that would fail. */
export const useRights = (): Rights => {
  const { rights } = useSession();
  if (!rights) throw new Error('no session: sign in first');
  return rights;
};

export const can = ({ isAdmin, scopes }: Rights, scope: Scope): boolean => isAdmin || scopes.includes(scope);
