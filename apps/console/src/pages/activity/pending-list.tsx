import { Card, Stack, Text, Title } from '@mantine/core';
import { useLive } from '../../live/live.js';
import { WaitingMemory } from '../../live/waiting-memory.js';
import { StoredText } from '../../ui/stored-text.js';
import { When } from '../../ui/when.js';

/** What waits for a decision. The decision itself is taken in the banner, one at a time. */
export const PendingList = () => {
  const { pending } = useLive();
  if (pending.length === 0) return null;
  return (
    <section aria-label="Waiting for a decision">
      <Title order={2} size="h4" mb="xs">
        Waiting for a decision
      </Title>
      <Stack component="ul" gap="xs" p={0} mb="lg" mt={0}>
        {pending.map((memory) => (
          <Card key={memory.id} component="li" withBorder padding="sm">
            <WaitingMemory memory={memory} />
            <Text size="xs" c="dimmed">
              for “<StoredText>{memory.suggestedName}</StoredText>”, by <StoredText>{memory.agentId}</StoredText> ·
              expires <When at={memory.expiresAt} />
            </Text>
          </Card>
        ))}
      </Stack>
    </section>
  );
};
