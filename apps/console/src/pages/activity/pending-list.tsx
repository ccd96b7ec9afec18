import { Card, Stack, Text, Title } from '@mantine/core';
import { useLive } from '../../live/live.js';
import { KindBadge } from '../../ui/kind-badge.js';
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
        {pending.map(({ id, label, kind, suggestedName, agentId, expiresAt }) => (
          <Card key={id} component="li" withBorder padding="sm">
            <Text size="sm" component="div">
              <KindBadge kind={kind} /> <StoredText>{label}</StoredText>
            </Text>
            <Text size="xs" c="dimmed">
              for “<StoredText>{suggestedName}</StoredText>”, by <StoredText>{agentId}</StoredText> · lapses{' '}
              <When at={expiresAt} />
            </Text>
          </Card>
        ))}
      </Stack>
    </section>
  );
};
