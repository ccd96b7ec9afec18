import type { Rights } from '../api/answers.js';

/** Who is signed in. What a token may do never changes, so it is asked once. */
export interface SignedIn {
  readonly token: string;
  readonly rights: Rights;
}

const KEY = 'cairn.session';

const parsed = (text: string | null): SignedIn | undefined => {
  try {
    const { token, rights } = JSON.parse(text ?? 'null') as SignedIn;
    return typeof token === 'string' && Array.isArray(rights.scopes) ? { token, rights } : undefined;
  } catch {
    return undefined;
  }
};

/** What a browser keeps for all tabs of this origin, and how one tab learns of a change in another. */
type Place = Pick<Window, 'localStorage' | 'addEventListener' | 'removeEventListener'>;

/**
 * The session of this browser: kept in localStorage, so every tab has it and a sign-out reaches them all. A browser that
 * allows no storage keeps nothing; the session then ends with its tab.
 */
export class KeptSession {
  constructor(private readonly place: Place = window) {}

  read(): SignedIn | undefined {
    try {
      return parsed(this.place.localStorage.getItem(KEY));
    } catch {
      return undefined;
    }
  }

  write(session: SignedIn): void {
    try {
      this.place.localStorage.setItem(KEY, JSON.stringify(session));
    } catch {
      // Nothing is kept then.
    }
  }

  /** Forgets this session, and not one that another tab has begun since. */
  clear(token: string | undefined): void {
    if (this.read()?.token === token) this.place.localStorage.removeItem(KEY);
  }

  /** Calls back when another tab has signed in or out. A page that comes back from the browser's cache may have missed it. */
  follow(onChange: () => void): () => void {
    const onStorage = ({ key }: StorageEvent): void => {
      if (key === KEY || key === null) onChange();
    };
    this.place.addEventListener('storage', onStorage);
    this.place.addEventListener('pageshow', onChange);
    return () => {
      this.place.removeEventListener('storage', onStorage);
      this.place.removeEventListener('pageshow', onChange);
    };
  }
}
