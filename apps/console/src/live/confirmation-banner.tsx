import { Anchor, Button, CloseButton, Group, Paper, Text } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useAction } from '../api/use-load.js';
import type { Confirmation, Decision } from '../api/types.js';
import { useApi } from '../session/session.js';
import { ErrorNote } from '../ui/states.js';
import classes from './banner.module.css';
import { ConfirmationQuestion } from './confirmation-question.js';
import { useLive } from './live.js';
import { OtherFolder } from './other-folder.js';

interface Outcome {
  readonly itemId: string;
  readonly name: string;
}

/** The one in view stays in view while it waits: another must not slip under somebody's finger. */
const useCurrent = (pending: readonly Confirmation[]): Confirmation | undefined => {
  const shown = useRef<string>(undefined);
  const current = pending.find(({ id }) => id === shown.current) ?? pending[0];
  shown.current = current?.id;
  return current;
};

const isTyping = (): boolean => document.activeElement?.matches('input, textarea, select, [role="dialog"] *') ?? false;

const Stored = ({ outcome, onClose }: { readonly outcome: Outcome; readonly onClose: () => void }) => (
  <Paper className={classes.banner} withBorder shadow="lg" p="sm" role="status">
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">
        Stored in <bdi>{outcome.name}</bdi>.{' '}
        <Anchor component={Link} href={`/sources/${outcome.itemId}`} onClick={onClose}>
          Show it
        </Anchor>
      </Text>
      <CloseButton aria-label="Close" onClick={onClose} />
    </Group>
  </Paper>
);

const Banner = () => {
  const api = useApi();
  const { pending, reloadPending } = useLive();
  const current = useCurrent(pending);
  const [outcome, setOutcome] = useState<Outcome>();
  const box = useRef<HTMLDivElement>(null);
  const titleId = useId();
  const { run, isBusy, error } = useAction(
    async ({ id, suggestedName }: Confirmation, decision: Decision, name: string = suggestedName) => {
      setOutcome(undefined);
      try {
        const answer = await api.send<{ itemId?: string }>('POST', `/confirmations/${id}`, decision);
        if (answer.itemId) setOutcome({ itemId: answer.itemId, name });
      } finally {
        reloadPending();
      }
    },
  );
  useEffect(() => {
    if (current && !isTyping()) box.current?.focus();
  }, [current?.id]);
  if (!current) return outcome && <Stored outcome={outcome} onClose={() => setOutcome(undefined)} />;
  return (
    <Paper
      ref={box}
      className={classes.banner}
      withBorder
      shadow="lg"
      p="md"
      role="alertdialog"
      aria-labelledby={titleId}
      tabIndex={-1}
    >
      <ConfirmationQuestion
        confirmation={current}
        titleId={titleId}
        isBusy={isBusy}
        onUse={(folderId, name) => run(current, { action: 'use', folderId }, name)}
      />
      {current.reason === 'close' && (
        <OtherFolder
          key={current.id}
          isBusy={isBusy}
          onUse={(folderId, name) => run(current, { action: 'use', folderId }, name)}
        />
      )}
      {error && <ErrorNote error={error} />}
      <Group justify="space-between" mt="md">
        <Text size="xs" c="dimmed" flex="1 1 12rem">
          {pending.length > 1 && `${pending.length - 1} more waiting. `}
          “Create new” makes a folder of the name that was asked for.
        </Text>
        <Group gap="xs" ml="auto">
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            disabled={isBusy}
            onClick={() => run(current, { action: 'dismiss' })}
          >
            Dismiss
          </Button>
          <Button size="xs" disabled={isBusy} onClick={() => run(current, { action: 'create' })}>
            Create new
          </Button>
        </Group>
      </Group>
    </Paper>
  );
};

/** Asks, top-center and as it happens, where a memory belongs whose folder name was not exact. */
export const ConfirmationBanner = () => (
  <div className={classes.place}>
    <Banner />
  </div>
);
