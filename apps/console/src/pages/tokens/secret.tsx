import { Alert, Button, Group, Stack } from '@mantine/core';
import { CopyField } from '../../ui/copy-field.js';
import { ConnectClient } from './connect-client.js';

interface SecretProps {
  readonly secret: string;
  readonly onClose: () => void;
}

export const Secret = ({ secret, onClose }: SecretProps) => (
  <Stack>
    <Alert color="yellow" title="This is shown once">
      Cairn keeps no copy of it. Paste it where the agent reads its configuration.
    </Alert>
    <CopyField label="New token" value={secret} />
    <ConnectClient token={secret} />
    <Group justify="flex-end">
      <Button variant="default" onClick={onClose}>
        I have it
      </Button>
    </Group>
  </Stack>
);
