import type { Rights } from '../api/answers.js';

/** The signed-in token. Its rights never change, so they are requested once. */
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

/** Storage that all tabs of this origin share, and a way to learn of a change made in another tab. */
type Place = Pick<Window, 'localStorage' | 'addEventListener' | 'removeEventListener'>;

/**
 * The session of this browser. It is kept in localStorage, so every tab has it and a sign-out reaches them all. A
 * browser without storage keeps nothing; the session then ends with its tab.
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
      // Without storage, nothing is kept.
    }
  }

  /** Removes this session, but not one that another tab has started since. */
  clear(token: string | undefined): void {
    if (this.read()?.token === token) this.place.localStorage.removeItem(KEY);
  }

  /** Calls back when another tab has signed in or out. A page restored from the browser's cache may have missed it. */
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
