import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';

interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  readonly isLong?: boolean;
}

/** Without a secure origin there is no clipboard, so the text is selected and the user copies it with the keyboard. */
export const CopyField = ({ label, value, isLong = false }: CopyFieldProps) => {
  const line = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const [state, setState] = useState<'shown' | 'copied' | 'selected'>('shown');
  const mark = (): void => (line.current ?? area.current)?.select();
  const select = (): void => {
    mark();
    setState('selected');
  };
  const copy = (): void => {
    if (!navigator.clipboard) return select();
    navigator.clipboard.writeText(value).then(() => setState('copied'), select);
  };
  const shared = { label, value, readOnly: true, onFocus: mark };
  const button = (
    <Button onClick={copy} aria-label={isLong ? `Copy: ${label}` : 'Copy'}>
      Copy
    </Button>
  );
  const status = (
    <span role="status">
      {state === 'copied' && 'Copied.'}
      {state === 'selected' && 'Selected: copy it with your keyboard.'}
    </span>
  );
  return (
    <Stack gap="xs">
      {isLong ? (
        <Textarea ref={area} autosize styles={{ input: { fontFamily: 'monospace' } }} {...shared} />
      ) : (
        <TextInput ref={line} {...shared} />
      )}
      <Group justify="space-between">
        {status}
        {button}
      </Group>
    </Stack>
  );
};
