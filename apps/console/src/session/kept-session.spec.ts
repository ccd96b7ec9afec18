import { beforeEach, describe, expect, it } from '@jest/globals';
import { KeptSession, type SignedIn } from './kept-session.js';

const session = (token: string): SignedIn => ({ token, rights: { scopes: ['read'] } as never });

/** The part of a browser that two tabs share: one tab writes, the other can read it and gets an event. */
const browser = () => {
  const values = new Map<string, string>();
  const tabs: EventTarget[] = [];
  const open = () => {
    const tab = new EventTarget();
    tabs.push(tab);
    const tell = (key: string): void =>
      tabs
        .filter((other) => other !== tab)
        .forEach((other) => other.dispatchEvent(Object.assign(new Event('storage'), { key })));
    const localStorage = {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => {
        values.set(key, value);
        tell(key);
      },
      removeItem: (key: string) => {
        values.delete(key);
        tell(key);
      },
    };
    return Object.assign(tab, { localStorage }) as never;
  };
  return { open, values };
};

describe('the session that a browser keeps', () => {
  let values: Map<string, string>;
  let first: KeptSession;
  let second: KeptSession;
  beforeEach(() => {
    const shared = browser();
    values = shared.values;
    [first, second] = [new KeptSession(shared.open()), new KeptSession(shared.open())];
  });

  it('is the same in every tab', () => {
    expect(second.read()).toBeUndefined();
    first.write(session('a'));
    expect(second.read()).toEqual(session('a'));
  });

  it('notifies the other tabs of a sign-in and of a sign-out, until they stop listening', () => {
    const seen: (string | undefined)[] = [];
    const stop = second.follow(() => seen.push(second.read()?.token));
    first.write(session('a'));
    first.clear('a');
    stop();
    first.write(session('b'));
    expect(seen).toEqual(['a', undefined]);
  });

  it('is not ended by a tab whose own token has ended while another token is signed in', () => {
    first.write(session('old'));
    second.write(session('new'));
    first.clear('old');
    expect(second.read()?.token).toBe('new');
  });

  it.each(['', 'nonsense', 'null', '{}', '{"token":1}', '{"token":"a","rights":null}'])(
    'is undefined when %j is stored',
    (text) => {
      values.set('cairn.session', text);
      expect(first.read()).toBeUndefined();
    },
  );

  it('is undefined in a browser without storage', () => {
    const refused = new KeptSession({
      get localStorage(): never {
        throw new DOMException('denied', 'SecurityError');
      },
    } as never);
    refused.write(session('a'));
    refused.clear('a');
    expect(refused.read()).toBeUndefined();
  });
});
