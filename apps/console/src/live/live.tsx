import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { followEvents } from '../api/follow-events.js';
import { useLoad } from '../api/use-load.js';
import type { Confirmation, Page, ProjectionLag } from '../api/answers.js';
import { useApi, useRights } from '../session/session.js';
import { useReviewCount } from './use-review-count.js';

interface Live {
  readonly connection: 'connecting' | 'open' | 'lost' | 'refused';
  /** Memories that wait for a decision, newest first. */
  readonly pending: readonly Confirmation[];
  /** More memories wait than are listed; they follow as these are decided. */
  readonly hasMorePending: boolean;
  /** Memories that can be restored. */
  readonly discarded: readonly Confirmation[];
  readonly reloadConfirmations: () => void;
  /** The last reported progress of the projections. */
  readonly projections: readonly ProjectionLag[] | undefined;
  /** Increases whenever something was stored, changed or forgotten. */
  readonly sourceChanges: number;
  /** The number of entries on Review, up to the limit that the navigation shows. */
  readonly reviewCount: number;
  /** Called after a verdict. */
  readonly recountReview: () => void;
}

const LiveContext = createContext<Live | undefined>(undefined);

const LIST_LIMIT = 100;
const NONE: Page<Confirmation> = { items: [], nextCursor: null };

/** One stream of events for all pages. It only reports that something changed; the pages then load the change. */
export const LiveProvider = ({ children }: { readonly children: ReactNode }) => {
  const api = useApi();
  const { isAdmin } = useRights();
  const [connection, setConnection] = useState<Live['connection']>(isAdmin ? 'connecting' : 'refused');
  const [projections, setProjections] = useState<readonly ProjectionLag[]>();
  const [sourceChanges, setSourceChanges] = useState(0);
  const { reviewCount, recountReview } = useReviewCount(sourceChanges);
  const { data, reload } = useLoad('confirmations', async () => {
    const list = async (status: 'pending' | 'discarded') =>
      isAdmin ? api.call('GET /confirmations', { query: { status, limit: LIST_LIMIT } }) : NONE;
    // An earlier build of the search service rejects `discarded`; the waiting memories are shown all the same.
    const [pending, discarded] = await Promise.all([list('pending'), list('discarded').catch(() => NONE)]);
    return { pending, discarded };
  });
  useEffect(() => {
    if (!isAdmin) return undefined;
    const ending = new AbortController();
    const onEvent = ({ name, data: text }: { name: string; data: string }): void => {
      if (name === 'confirmation') reload();
      if (name === 'source') setSourceChanges((n) => n + 1);
      if (name === 'projection') setProjections((JSON.parse(text) as { items: ProjectionLag[] }).items);
    };
    // Events missed while disconnected are not sent again, so each new connection loads the lists once.
    const onOpen = (): void => {
      setConnection('open');
      reload();
    };
    const onLost = (): void => setConnection('lost');
    const onRefused = (): void => setConnection('refused');
    void followEvents(api, { onOpen, onEvent, onLost, onRefused }, ending.signal);
    return () => ending.abort();
  }, [api, isAdmin, reload]);
  const live = useMemo(
    () => ({
      connection,
      pending: data?.pending.items ?? [],
      hasMorePending: typeof data?.pending.nextCursor === 'string',
      discarded: data?.discarded.items ?? [],
      reloadConfirmations: reload,
      projections,
      sourceChanges,
      reviewCount,
      recountReview,
    }),
    [connection, data, reload, projections, sourceChanges, reviewCount, recountReview],
  );
  return <LiveContext value={live}>{children}</LiveContext>;
};

export const useLive = (): Live => {
  const live = use(LiveContext);
  if (!live) throw new Error('there is no LiveProvider above');
  return live;
};
