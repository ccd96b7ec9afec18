import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import type { Confirmation } from '../../api/answers.js';
import { useLive } from '../../live/live.js';
import { useRestore } from '../../live/use-decide.js';
import { WaitingMemory } from '../../live/waiting-memory.js';
import { ErrorNote } from '../../ui/states.js';
import { When } from '../../ui/when.js';

const DiscardedCard = ({ memory }: { readonly memory: Confirmation }) => {
  const { run, isBusy, error } = useRestore(memory.id);
  return (
    <Card component="li" withBorder padding="sm">
      <WaitingMemory memory={memory} isWhole />
      {error && <ErrorNote error={error} />}
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {memory.restorableUntil !== undefined && (
            <>
              Its text is erased <When at={memory.restorableUntil} />
            </>
          )}
        </Text>
        <Button size="xs" variant="light" loading={isBusy} onClick={() => run()}>
          Restore
        </Button>
      </Group>
    </Card>
  );
};

/** Discarded memories that can still be restored. */
export const DiscardedList = () => {
  const { discarded } = useLive();
  if (discarded.length === 0) return null;
  return (
    <section aria-label="Discarded">
      <Title order={2} size="h4" mb="xs">
        Discarded
      </Title>
      <Stack component="ul" gap="xs" p={0} mb="lg" mt={0}>
        {discarded.map((memory) => (
          <DiscardedCard key={memory.id} memory={memory} />
        ))}
      </Stack>
    </section>
  );
};
