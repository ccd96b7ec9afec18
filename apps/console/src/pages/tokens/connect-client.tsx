import { NativeSelect, Stack } from '@mantine/core';
import { useState } from 'react';
import { useLoad } from '../../api/use-load.js';
import { useApi } from '../../session/session.js';
import { CopyField } from '../../ui/copy-field.js';
import { ErrorNote } from '../../ui/states.js';
import { filledIn } from './filled-in.js';

/** The instructions that connect a client with a new token: clients find /mcp at the origin of this page. */
export const ConnectClient = ({ token }: { readonly token: string }) => {
  const api = useApi();
  const { data, error, reload } = useLoad('clients', () => api.call('GET /clients'));
  const [chosen, setChosen] = useState('');
  const clients = data?.clients ?? [];
  const steps = clients.find(({ id }) => id === chosen)?.steps ?? [];
  const address = { mcpUrl: `${location.origin}/mcp`, token };
  return (
    <Stack>
      <NativeSelect
        label="Connect a client"
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[{ value: '', label: 'Choose a client' }, ...clients.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      {error && <ErrorNote error={error} onRetry={reload} />}
      {steps.map(({ where, text }) => (
        <CopyField key={`${chosen} ${where}`} label={where} value={filledIn(text, address)} isLong />
      ))}
    </Stack>
  );
};
