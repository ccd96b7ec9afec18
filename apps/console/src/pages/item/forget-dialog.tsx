import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../api/use-load.js';
import type { AnswerTo } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { plural } from '../../ui/format.js';
import { ErrorNote } from '../../ui/states.js';
import { StoredText } from '../../ui/stored-text.js';
import { Receipt } from './receipt.js';

export interface ForgetTarget {
  readonly id: string;
  readonly what: 'item' | 'chunk';
  readonly title: string;
}

interface ForgetDialogProps {
  readonly target: ForgetTarget;
  readonly onForgotten: () => void;
  readonly onClose: () => void;
}

/** Forgetting cannot be undone, so the user confirms it twice, and a receipt proves it afterwards. */
export const ForgetDialog = ({ target, onForgotten, onClose }: ForgetDialogProps) => {
  const api = useApi();
  const [forgotten, setForgotten] = useState<AnswerTo<'DELETE /items/{id}'>>();
  const { run, isBusy, error } = useAction(async () => {
    setForgotten(await api.call(`DELETE /${target.what}s/{id}`, { id: target.id }));
    onForgotten();
  });
  return (
    <Modal opened onClose={onClose} title={forgotten ? 'Forgotten' : `Forget this ${target.what}?`} size="lg">
      <Stack>
        <Text size="sm" fw={600}>
          <StoredText>{target.title}</StoredText>
        </Text>
        {forgotten ? (
          <>
            <Text size="sm">
              {plural(forgotten.chunksRemoved, 'chunk')} removed
              {forgotten.sourceRemoved ? ' and the source deleted.' : '; the rest of the source stays.'}
            </Text>
            <Receipt receiptId={forgotten.receiptId} />
          </>
        ) : (
          <Text size="sm">
            Its text is erased from the log, from every index and from every copy that Cairn keeps. This cannot be
            undone. A signed receipt says what was erased, without the text.
          </Text>
        )}
        {error && <ErrorNote error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {forgotten ? 'Close' : 'Keep it'}
          </Button>
          {!forgotten && (
            <Button color="red" loading={isBusy} onClick={() => run()}>
              Forget for good
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
};
