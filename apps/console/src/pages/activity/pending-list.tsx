import { Stack, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useFolders } from '../../api/use-folders.js';
import { useLive } from '../../live/live.js';
import { PendingCard } from './pending-card.js';

/** The waiting memories. Each can be decided here, with any folder. */
export const PendingList = () => {
  const { pending } = useLive();
  const { data: folders, reload } = useFolders();
  // A decision may have created a folder.
  useEffect(() => reload(), [pending.length, reload]);
  if (pending.length === 0) return null;
  return (
    <section aria-label="Waiting for a decision">
      <Title order={2} size="h4" mb="xs">
        Waiting for a decision
      </Title>
      <Stack component="ul" gap="xs" p={0} mb="lg" mt={0}>
        {pending.map((memory) => (
          <PendingCard key={memory.id} memory={memory} folders={folders ?? []} />
        ))}
      </Stack>
    </section>
  );
};
