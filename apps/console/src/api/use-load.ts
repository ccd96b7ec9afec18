import { useCallback, useEffect, useRef, useState } from 'react';
import { asApiError, type ApiError } from './api-error.js';
import type { Page } from './answers.js';

export interface Loaded<T> {
  readonly data: T | undefined;
  readonly error: ApiError | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** The result of `load`, loaded again when the key changes. An answer that arrives too late is discarded. */
export const useLoad = <T>(key: string, load: () => Promise<T>): Loaded<T> => {
  const [state, setState] = useState<{ key: string; data?: T; error?: ApiError; isLoading: boolean }>({
    key,
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    let isCurrent = true;
    setState((before) => (before.key === key ? { ...before, isLoading: true } : { key, isLoading: true }));
    latest.current().then(
      (data) => isCurrent && setState({ key, data, isLoading: false }),
      (thrown: unknown) => isCurrent && setState({ key, error: asApiError(thrown), isLoading: false }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, round]);
  const reload = useCallback(() => setRound((n) => n + 1), []);
  // Between a change of the key and the first effect, the state still belongs to the old key.
  if (state.key !== key) return { data: undefined, error: undefined, isLoading: true, reload };
  return { data: state.data, error: state.error, isLoading: state.isLoading, reload };
};

export interface Pages<T> extends Omit<Loaded<readonly T[]>, 'data'> {
  readonly items: readonly T[] | undefined;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
}

/** A paged list: the first page loads at once, further ones on demand. A reload fetches as many pages as were shown. */
export const usePages = <T>(key: string, loadPage: (cursor: string | undefined) => Promise<Page<T>>): Pages<T> => {
  const [wanted, setWanted] = useState({ key, pages: 1 });
  const pages = wanted.key === key ? wanted.pages : 1;
  const { data, error, isLoading, reload } = useLoad(`${key}#${pages}`, async () => {
    const items: T[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < pages; page++) {
      const answer: Page<T> = await loadPage(cursor);
      items.push(...answer.items);
      cursor = answer.nextCursor ?? undefined;
      if (cursor === undefined) break;
    }
    return { items, hasMore: cursor !== undefined };
  });
  const shown = useRef<{ key: string; data: typeof data }>({ key, data: undefined });
  if (data || shown.current.key !== key) shown.current = { key, data };
  return {
    items: shown.current.data?.items,
    hasMore: shown.current.data?.hasMore ?? false,
    error,
    isLoading,
    reload,
    loadMore: () => setWanted({ key, pages: pages + 1 }),
  };
};

/** Runs an action, one at a time, and keeps its error. */
export const useAction = <A extends readonly unknown[]>(
  action: (...args: A) => Promise<void>,
): { readonly run: (...args: A) => void; readonly isBusy: boolean; readonly error: ApiError | undefined } => {
  const [state, setState] = useState<{ isBusy: boolean; error?: ApiError }>({ isBusy: false });
  const run = (...args: A): void => {
    if (state.isBusy) return;
    setState({ isBusy: true });
    action(...args).then(
      () => setState({ isBusy: false }),
      (thrown: unknown) => setState({ isBusy: false, error: asApiError(thrown) }),
    );
  };
  return { run, isBusy: state.isBusy, error: state.error };
};
