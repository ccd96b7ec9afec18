import { Button, Card, Group, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import type { Confirmation, Folder } from '../../api/answers.js';
import { DiscardQuestion } from '../../live/discard-question.js';
import { useDecide } from '../../live/use-decide.js';
import { WaitingMemory } from '../../live/waiting-memory.js';
import { ErrorNote } from '../../ui/states.js';
import { StoredText } from '../../ui/stored-text.js';
import { When } from '../../ui/when.js';
import { folderChoices } from './folder-choices.js';

interface PendingCardProps {
  readonly memory: Confirmation;
  readonly folders: readonly Folder[];
}

export const PendingCard = ({ memory, folders }: PendingCardProps) => {
  const [folderId, setFolderId] = useState('');
  const [isDiscarding, setDiscarding] = useState(false);
  const { run, isBusy, error } = useDecide(memory);
  const isClose = memory.candidates.length > 0;
  const chosen = folders.find(({ id }) => id === folderId);
  return (
    <Card component="li" withBorder padding="sm">
      <WaitingMemory memory={memory} isWhole />
      <Text size="xs" c="dimmed" mb="xs">
        <StoredText>{memory.agentId}</StoredText> asked for “<StoredText>{memory.suggestedName}</StoredText>
        ” · expires <When at={memory.expiresAt} />
      </Text>
      {error && <ErrorNote error={error} />}
      {isDiscarding ? (
        <DiscardQuestion
          isBusy={isBusy}
          onKeep={() => setDiscarding(false)}
          onDiscard={() => run({ action: 'dismiss' })}
        />
      ) : (
        <Group gap="xs">
          <Button size="xs" variant="outline" color="red" disabled={isBusy} onClick={() => setDiscarding(true)}>
            Discard
          </Button>
          <NativeSelect
            size="xs"
            aria-label="Folder"
            flex="1 1 10rem"
            value={folderId}
            onChange={(event) => setFolderId(event.currentTarget.value)}
            data={folderChoices(memory.candidates, folders)}
          />
          <Button
            size="xs"
            variant={isClose ? 'filled' : 'light'}
            disabled={isBusy || !chosen}
            onClick={() => chosen && run({ action: 'use', folderId: chosen.id }, chosen.name)}
          >
            Store
          </Button>
          <Button
            size="xs"
            variant={isClose ? 'default' : 'filled'}
            disabled={isBusy}
            onClick={() => run({ action: 'create' })}
          >
            Create new
          </Button>
        </Group>
      )}
    </Card>
  );
};
