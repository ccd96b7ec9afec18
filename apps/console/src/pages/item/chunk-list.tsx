import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import type { Chunk } from '../../api/answers.js';
import { plural } from '../../ui/format.js';
import { StoredText } from '../../ui/stored-text.js';

interface ChunkListProps {
  readonly chunks: readonly Chunk[];
  /** Undefined if the user may not forget chunks. */
  readonly onForget: ((chunk: Chunk) => void) | undefined;
}

/** The text as search sees it, split into chunks. */
export const ChunkList = ({ chunks, onForget }: ChunkListProps) => (
  <section aria-label="Chunks">
    <Title order={2} size="h4" mb="xs">
      {plural(chunks.length, 'chunk')}
    </Title>
    <Stack gap="xs">
      {chunks.map((chunk) => (
        <Card key={chunk.id} withBorder padding="sm">
          <Group justify="space-between" mb={4}>
            <Text size="xs" c="dimmed">
              Chunk {chunk.ordinal + 1}
            </Text>
            {onForget && (
              <Button
                size="compact-xs"
                variant="outline"
                color="red"
                aria-label={`Forget chunk ${chunk.ordinal + 1}`}
                onClick={() => onForget(chunk)}
              >
                Forget
              </Button>
            )}
          </Group>
          <Text component="div" size="sm">
            <StoredText isBlock>{chunk.text}</StoredText>
          </Text>
        </Card>
      ))}
    </Stack>
  </section>
);

/** A text outside the knowledge base is not split into chunks, because no search sees it. */
export const WholeText = ({ content }: { readonly content: string }) => (
  <section aria-label="Text">
    <Title order={2} size="h4" mb="xs">
      Text, not in the knowledge base
    </Title>
    <Card withBorder padding="sm">
      <Text component="div" size="sm">
        <StoredText isBlock>{content}</StoredText>
      </Text>
    </Card>
  </section>
);
