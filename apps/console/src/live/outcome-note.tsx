import { Anchor, Button, CloseButton, Group, Paper, Text } from '@mantine/core';
import { Link } from 'wouter';
import { ErrorNote } from '../ui/states.js';
import { StoredText } from '../ui/stored-text.js';
import classes from './banner.module.css';
import { useLive } from './live.js';
import { useOutcome } from './outcome.js';
import { useRestore } from './use-decide.js';

const Stored = ({ itemId, folder }: { readonly itemId: string; readonly folder: string }) => {
  const { setOutcome } = useOutcome();
  return (
    <Text size="sm">
      Stored in <StoredText>{folder}</StoredText>.{' '}
      <Anchor component={Link} href={`/sources/${itemId}`} onClick={() => setOutcome(undefined)}>
        Show it
      </Anchor>
    </Text>
  );
};

const Discarded = ({ id }: { readonly id: string }) => {
  const { run, isBusy, error } = useRestore(id);
  if (error) return <ErrorNote error={error} />;
  return (
    <Group gap="xs">
      <Text size="sm">Discarded.</Text>
      <Button size="compact-sm" variant="light" loading={isBusy} onClick={() => run()}>
        Undo
      </Button>
    </Group>
  );
};

/** Reports the outcome of the last decision. A discard can be undone here as long as the server keeps the text. */
export const OutcomeNote = () => {
  const { outcome, setOutcome } = useOutcome();
  const { discarded } = useLive();
  if (!outcome) return null;
  if (outcome.kind === 'discarded' && !discarded.some(({ id }) => id === outcome.id)) return null;
  return (
    <Paper className={classes.note ?? ''} withBorder px="sm" py={4} role="status">
      <Group justify="space-between" wrap="nowrap">
        {outcome.kind === 'stored' ? <Stored {...outcome} /> : <Discarded id={outcome.id} />}
        <CloseButton size="sm" aria-label="Close" onClick={() => setOutcome(undefined)} />
      </Group>
    </Paper>
  );
};
