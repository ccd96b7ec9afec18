import { Alert, SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { usePages } from '../../api/use-load.js';
import { choiceOf, type ReviewEntry, type Verdict } from '../../api/answers.js';
import { useLive } from '../../live/live.js';
import { useApi } from '../../session/session.js';
import { EmptyState, ListState, MoreButton, PageHead } from '../../ui/states.js';
import { StoredText } from '../../ui/stored-text.js';
import { cardId, ReviewCard } from './review-card.js';
import { neighbourOf } from './neighbour-of.js';
import classes from './review.module.css';
import { ANSWERS, claimOf, KIND_LABELS, REVIEW_KINDS } from './review-words.js';

const KINDS = [{ value: '', label: 'All' }, ...REVIEW_KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind] }))];

/** The last decision stays in view, since its entry is gone from the list. */
interface Decided {
  readonly entry: ReviewEntry;
  readonly verdict: Verdict;
}

const DECIDED_ID = 'last-decision';

const DecidedNote = ({ decided }: { readonly decided: Decided | undefined }) => (
  <div role="status" aria-label="Last decision" id={DECIDED_ID} tabIndex={-1} className={classes.decided}>
    {decided && (
      <Alert color="teal" mb="md" py="xs">
        <StoredText>{claimOf(decided.entry).join(' ')}</StoredText>: {ANSWERS[decided.entry.kind].done[decided.verdict]}
        .
      </Alert>
    )}
  </div>
);

export const ReviewPage = () => {
  const api = useApi();
  const { recountReview } = useLive();
  const [params, setParams] = useSearchParams();
  const kind = choiceOf(REVIEW_KINDS, params.get('kind') ?? '');
  const { items, error, reload, ...more } = usePages(`review:${kind}`, (cursor) =>
    api.call('GET /review', { query: { kind, cursor } }),
  );
  const [decided, setDecided] = useState<Decided>();
  const onDecided = (entry: ReviewEntry) => (verdict: Verdict) => {
    setDecided({ entry, verdict });
    const next = neighbourOf(items ?? [], entry);
    document.getElementById(next ? cardId(next) : DECIDED_ID)?.focus({ preventScroll: true });
    reload();
    recountReview();
  };
  return (
    <>
      <PageHead
        title="Review"
        note="What the texts leave open. Nothing is merged or believed without you; a verdict outlasts a rebuild of the graph."
      />
      <SegmentedControl
        fullWidth
        aria-label="Kind"
        mb="md"
        data={KINDS}
        value={kind ?? ''}
        onChange={(value) => setParams(value === '' ? {} : { kind: value })}
      />
      <DecidedNote decided={decided} />
      <ListState
        items={items}
        error={error}
        reload={reload}
        empty={
          <EmptyState title="Nothing waits for you">
            Statements that a text leaves uncertain, names that may mean the same, and texts that contradict each other
            appear here.
          </EmptyState>
        }
      >
        <Stack component="ul" gap="xs" p={0} m={0} aria-label="Waiting for review">
          {items?.map((entry) => (
            <ReviewCard key={`${entry.kind}:${entry.id}`} entry={entry} onDecided={onDecided(entry)} />
          ))}
        </Stack>
        <MoreButton {...more} />
      </ListState>
    </>
  );
};
