import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useAction } from '../../api/use-load.js';
import type { Token } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { ErrorNote } from '../../ui/states.js';
import { StoredText } from '../../ui/stored-text.js';

interface RevokeDialogProps {
  readonly token: Token;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}

export const RevokeDialog = ({ token, onRevoked, onClose }: RevokeDialogProps) => {
  const api = useApi();
  const { run, isBusy, error } = useAction(async () => {
    await api.call('DELETE /tokens/{id}', { id: token.id });
    onRevoked();
  });
  return (
    <Modal opened onClose={onClose} title="Revoke this token?">
      <Stack>
        <Text size="sm">
          <StoredText>{token.name}</StoredText> is refused within two seconds, and its open connections end. This cannot
          be undone; issue a new token instead. If it is the one you are signed in with, you are signed out.
        </Text>
        {error && <ErrorNote error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button color="red" loading={isBusy} onClick={() => run()}>
            Revoke token
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};
