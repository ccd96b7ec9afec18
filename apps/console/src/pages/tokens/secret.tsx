import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';

interface SecretProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** Without a secure origin there is no clipboard: then the text is selected, for the keyboard to copy. */
export const Secret = ({ secret, onClose }: SecretProps) => {
  const field = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<'shown' | 'copied' | 'selected'>('shown');
  const select = (): void => {
    field.current?.select();
    setState('selected');
  };
  const copy = (): void => {
    if (!navigator.clipboard) return select();
    navigator.clipboard.writeText(secret).then(() => setState('copied'), select);
  };
  return (
    <Stack>
      <Alert color="yellow" title="This is shown once">
        Cairn keeps no copy of it. Paste it where the agent reads its configuration.
      </Alert>
      <Group wrap="nowrap" align="flex-end">
        <TextInput
          ref={field}
          flex={1}
          label="New token"
          value={secret}
          readOnly
          onFocus={() => field.current?.select()}
        />
        <Button onClick={copy}>Copy</Button>
      </Group>
      <Group justify="space-between">
        <span role="status">
          {state === 'copied' && 'Copied.'}
          {state === 'selected' && 'Selected: copy it with your keyboard.'}
        </span>
        <Button variant="default" onClick={onClose}>
          I have it
        </Button>
      </Group>
    </Stack>
  );
};
