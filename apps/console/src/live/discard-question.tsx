import { Button, Group, Text } from '@mantine/core';

interface DiscardQuestionProps {
  readonly isBusy: boolean;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/** Replaces the actions and puts the harmless one where Discard was, so a double click discards nothing. */
export const DiscardQuestion = ({ isBusy, onKeep, onDiscard }: DiscardQuestionProps) => (
  <Group justify="space-between" gap="xs" wrap="nowrap">
    <Button size="xs" variant="default" disabled={isBusy} autoFocus onClick={onKeep}>
      Keep it
    </Button>
    <Text size="xs" flex="1">
      Discard this memory? Its text is erased for good in 10 minutes. Until then you can undo this.
    </Text>
    <Button size="xs" color="red" loading={isBusy} onClick={onDiscard}>
      Discard
    </Button>
  </Group>
);
