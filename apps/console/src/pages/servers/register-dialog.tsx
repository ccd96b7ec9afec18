import { Button, Modal, NativeSelect, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { messageAtField } from '../../api/api-error.js';
import { IdempotencyKeys } from '../../api/idempotency-keys.js';
import { useAction } from '../../api/use-load.js';
import { useApi } from '../../session/session.js';
import { ErrorNote } from '../../ui/states.js';
import { newServerOf, SERVER_DRAFT, type ServerDraft } from './new-server.js';
import { DialogActions } from '../../ui/dialog-actions.js';

interface RegisterDialogProps {
  readonly onRegistered: () => void;
  readonly onClose: () => void;
}

const TRANSPORTS = [
  { value: 'auto', label: 'Automatic' },
  { value: 'streamable-http', label: 'Streamable HTTP' },
  { value: 'sse', label: 'SSE (older servers)' },
];

const APPROVALS = [
  { value: 'first-use', label: 'First use: trust what it offers now' },
  { value: 'manual', label: 'Manual: offer nothing before I approve it' },
];

const CREDENTIALS = [
  { value: 'none', label: 'None' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'header', label: 'Header' },
];

/** Fields that show the server's error beside them; any other error is shown below. */
const FIELDS_WITH_ERRORS = ['name', 'url', 'credential.name', 'credential.value'];

export const RegisterDialog = ({ onRegistered, onClose }: RegisterDialogProps) => {
  const api = useApi();
  const [keys] = useState(() => new IdempotencyKeys());
  const [draft, setDraft] = useState(SERVER_DRAFT);
  const set = (change: Partial<ServerDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const { run, isBusy, error } = useAction(async () => {
    const body = newServerOf(draft);
    await api.call('POST /mcp-servers', { body, idempotencyKey: keys.keyFor(body) });
    onRegistered();
  });
  const errorAt = (field: string) => (error?.field === field ? messageAtField(error) : undefined);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run();
  };
  return (
    <Modal opened onClose={onClose} title="Register server" size="lg">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Name"
            description="Lower-case letters, digits and hyphens. Its tools are offered as name__tool."
            required
            maxLength={24}
            value={draft.name}
            data-autofocus
            error={errorAt('name')}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <TextInput
            label="Address"
            description="Of its MCP endpoint: https, or an origin that the operator has allowed."
            type="url"
            required
            value={draft.url}
            error={errorAt('url')}
            onChange={(event) => set({ url: event.currentTarget.value })}
          />
          <NativeSelect
            label="Transport"
            value={draft.transport}
            data={TRANSPORTS}
            onChange={(event) => set({ transport: event.currentTarget.value as ServerDraft['transport'] })}
          />
          <NativeSelect
            label="Approval"
            description="A tool that changes later is withheld in both cases until you approve it."
            value={draft.approval}
            data={APPROVALS}
            onChange={(event) => set({ approval: event.currentTarget.value as ServerDraft['approval'] })}
          />
          <NativeSelect
            label="Credential"
            value={draft.credential}
            data={CREDENTIALS}
            onChange={(event) => set({ credential: event.currentTarget.value as ServerDraft['credential'] })}
          />
          {draft.credential === 'header' && (
            <TextInput
              label="Name of the header"
              required
              value={draft.headerName}
              error={errorAt('credential.name')}
              onChange={(event) => set({ headerName: event.currentTarget.value })}
            />
          )}
          {draft.credential !== 'none' && (
            <PasswordInput
              label="Secret"
              description="Stored encrypted, sent to this server only, and never shown again."
              required
              autoComplete="off"
              value={draft.secret}
              error={errorAt('credential.value')}
              visibilityToggleButtonProps={{ 'aria-label': 'Show the secret' }}
              onChange={(event) => set({ secret: event.currentTarget.value })}
            />
          )}
          {error && !FIELDS_WITH_ERRORS.includes(error.field ?? '') && <ErrorNote error={error} />}
          <DialogActions onCancel={onClose}>
            <Button type="submit" loading={isBusy}>
              Register
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  );
};
