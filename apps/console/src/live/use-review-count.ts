import { useEffect } from 'react';
import { useLoad } from '../api/use-load.js';
import { useApi, useRights } from '../session/session.js';
import { COUNTED_MAX } from './review-count.js';

/** Changes arrive in bursts, and the server computes the list on each request. */
const ASK_AGAIN_MS = 5_000;

interface ReviewCount {
  /** Capped at what the navigation shows; keeps the last number while a new one is loading. */
  readonly reviewCount: number;
  readonly recountReview: () => void;
}

export const useReviewCount = (sourceChanges: number): ReviewCount => {
  const api = useApi();
  const { isAdmin } = useRights();
  const { data = 0, reload } = useLoad('review', async () => {
    if (!isAdmin) return 0;
    // A failed count is not worth an error on every page; Review itself shows what is wrong.
    const page = await api.call('GET /review', { query: { limit: COUNTED_MAX + 1 } }).catch(() => undefined);
    return page?.items.length ?? 0;
  });
  useEffect(() => {
    if (sourceChanges === 0) return undefined;
    const timer = setTimeout(reload, ASK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [sourceChanges, reload]);
  return { reviewCount: data, recountReview: reload };
};
