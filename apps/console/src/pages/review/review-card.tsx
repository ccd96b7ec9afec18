import { Anchor, Button, Card, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useAction } from '../../api/use-load.js';
import type { ReviewEntry, Verdict } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { SmallBadge } from '../../ui/small-badge.js';
import { ErrorNote } from '../../ui/states.js';
import { StoredText } from '../../ui/stored-text.js';
import classes from './review.module.css';
import { ANSWERS, claimOf } from './review-words.js';

interface ReviewCardProps {
  readonly entry: ReviewEntry;
  readonly onDecided: (verdict: Verdict) => void;
}

/** When a card is decided and disappears, the focus moves to the next one. */
export const cardId = ({ kind, id }: Pick<ReviewEntry, 'kind' | 'id'>): string => `review-${kind}-${id}`;

const BADGES = {
  edge: ['gray', 'not certain'],
  merge: ['violet', 'maybe the same'],
  conflict: ['yellow', 'conflict'],
} as const;

const Claim = ({ entry }: { readonly entry: ReviewEntry }) => {
  const [subject, predicate, object] = claimOf(entry);
  return (
    <Text component="h2" size="md" fw={400} m={0} className={classes.claim ?? ''}>
      <Anchor component={Link} href={`/graph/${entry.subjectId}`} inherit fw={600}>
        <StoredText>{subject}</StoredText>
      </Anchor>{' '}
      {predicate}{' '}
      <Anchor component={Link} href={`/graph/${entry.objectId}`} inherit fw={600}>
        <StoredText>{object}</StoredText>
      </Anchor>
    </Text>
  );
};

/** One open question: what the text states, why a person has to decide, and the two answers. */
export const ReviewCard = ({ entry, onDecided }: ReviewCardProps) => {
  const api = useApi();
  const answers = ANSWERS[entry.kind];
  const [color, label] = BADGES[entry.kind];
  const what = claimOf(entry).join(' ');
  const { run, isBusy, error } = useAction(async (verdict: Verdict) => {
    if (entry.kind === 'merge' && verdict === 'confirmed')
      await api.call('POST /entities/merges', { body: { aliasId: entry.subjectId, canonicalId: entry.objectId } });
    else await api.call('POST /edges/{id}/review', { id: entry.id, body: { verdict } });
    onDecided(verdict);
  });
  return (
    <Card component="li" withBorder padding="md" id={cardId(entry)} tabIndex={-1}>
      <Group gap="xs" justify="space-between" align="flex-start">
        <Claim entry={entry} />
        <SmallBadge color={color}>{label}</SmallBadge>
      </Group>
      <blockquote className={classes.sentence}>
        <StoredText>{entry.sentence}</StoredText>
      </blockquote>
      <Text size="sm" c="dimmed">
        <StoredText>{entry.reason}</StoredText>
        {entry.confidence !== undefined && ` Confidence ${Math.round(entry.confidence * 100)} %.`}{' '}
        <Anchor component={Link} href={`/sources/${entry.itemId}`} inherit>
          Open the text
        </Anchor>
      </Text>
      {error && <ErrorNote error={error} />}
      <Group gap="xs" mt="sm">
        <Button size="xs" loading={isBusy} aria-label={`${answers.yes}: ${what}`} onClick={() => run('confirmed')}>
          {answers.yes}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={isBusy}
          aria-label={`${answers.no}: ${what}`}
          onClick={() => run('rejected')}
        >
          {answers.no}
        </Button>
      </Group>
    </Card>
  );
};
