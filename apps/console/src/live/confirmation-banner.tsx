import { Anchor, Button, Group, Paper, Text } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Confirmation } from '../api/answers.js';
import { ErrorNote } from '../ui/states.js';
import classes from './banner.module.css';
import { ConfirmationQuestion } from './confirmation-question.js';
import { DiscardQuestion } from './discard-question.js';
import { useLive } from './live.js';
import { OtherFolder } from './other-folder.js';
import { OutcomeNote } from './outcome-note.js';
import { useDecide } from './use-decide.js';
import { useLater } from './use-later.js';

/** The memory in view stays in view while it waits: another one must not appear under the user's finger. */
const useCurrent = (pending: readonly Confirmation[]): Confirmation | undefined => {
  const shown = useRef<string>(undefined);
  const current = pending.find(({ id }) => id === shown.current) ?? pending[0];
  shown.current = current?.id;
  return current;
};

const isTyping = (): boolean => document.activeElement?.matches('input, textarea, select, [role="dialog"] *') ?? false;

/** Moves the focus to new content without scrolling, unless the user is typing. */
const useFocusOfIdleHands = () => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isTyping()) box.current?.focus({ preventScroll: true });
  }, []);
  return box;
};

/** A name that matches nothing suggests a new folder; the Activity page offers every folder. */
const ActivityHint = () => (
  <Text size="xs" c="dimmed" mt={4}>
    Another folder?{' '}
    <Anchor component={Link} href="/activity">
      Decide on the Activity page
    </Anchor>
    .
  </Text>
);

interface BannerProps {
  readonly confirmation: Confirmation;
  /** The number of other waiting memories. */
  readonly more: number;
  readonly onLater: () => void;
}

const Banner = ({ confirmation, more, onLater }: BannerProps) => {
  const [isDiscarding, setDiscarding] = useState(false);
  const { run, isBusy, error } = useDecide(confirmation);
  const box = useFocusOfIdleHands();
  const titleId = useId();
  const newNameId = useId();
  const use = (folderId: string, name: string): void => run({ action: 'use', folderId }, name);
  return (
    <Paper
      ref={box}
      className={classes.banner ?? ''}
      withBorder
      shadow="sm"
      role="alertdialog"
      aria-labelledby={titleId}
      tabIndex={-1}
    >
      <div className={classes.question}>
        <ConfirmationQuestion confirmation={confirmation} titleId={titleId} isBusy={isBusy} onUse={use} />
        {confirmation.reason === 'close' ? <OtherFolder isBusy={isBusy} onUse={use} /> : <ActivityHint />}
        {error && <ErrorNote error={error} />}
      </div>
      <div className={classes.actions}>
        {isDiscarding ? (
          <DiscardQuestion
            isBusy={isBusy}
            onKeep={() => setDiscarding(false)}
            onDiscard={() => run({ action: 'dismiss' })}
          />
        ) : (
          <>
            <Text id={newNameId} size="xs" c="dimmed" ta="end" mb={4} lineClamp={2} className={classes.stored ?? ''}>
              Create new makes a folder named “<bdi>{confirmation.suggestedName}</bdi>”.
            </Text>
            <Group gap="xs">
              <Button size="xs" variant="outline" color="red" disabled={isBusy} onClick={() => setDiscarding(true)}>
                Discard
              </Button>
              <Text size="xs" c="dimmed" flex="1">
                {more > 0 && `${more} more waiting`}
              </Text>
              <Button size="xs" variant="default" disabled={isBusy} onClick={onLater}>
                Later
              </Button>
              <Button
                size="xs"
                variant={confirmation.candidates.length > 0 ? 'default' : 'filled'}
                disabled={isBusy}
                aria-describedby={newNameId}
                onClick={() => run({ action: 'create' })}
              >
                Create new
              </Button>
            </Group>
          </>
        )}
      </div>
    </Paper>
  );
};

/** The rest of the banner after the user chose Later. */
const Minimised = ({ onOpen }: { readonly onOpen: () => void }) => {
  const { pending, hasMorePending } = useLive();
  return (
    <Button size="compact-sm" variant="light" onClick={onOpen}>
      {pending.length}
      {hasMorePending && '+'} {pending.length === 1 ? 'memory' : 'memories'} waiting
    </Button>
  );
};

/** A banner at the top of every page that asks where a memory belongs if its folder name was not an exact match. */
export const ConfirmationBanner = () => {
  const { pending } = useLive();
  const { postponed, postpone } = useLater();
  const current = useCurrent(pending.filter(({ id }) => !postponed.includes(id)));
  return (
    <div className={classes.place}>
      <OutcomeNote />
      {current ? (
        <Banner
          key={current.id}
          confirmation={current}
          more={pending.length - 1}
          onLater={() => postpone(pending.map(({ id }) => id))}
        />
      ) : (
        pending.length > 0 && <Minimised onOpen={() => postpone([])} />
      )}
    </div>
  );
};
