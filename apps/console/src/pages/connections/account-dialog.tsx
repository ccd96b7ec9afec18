import { Button, Modal, NativeSelect, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { messageAtField } from '../../api/api-error.js';
import { IdempotencyKeys } from '../../api/idempotency-keys.js';
import { useAction } from '../../api/use-load.js';
import type { Account, Connector, Folder, Retention } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { ErrorNote } from '../../ui/states.js';
import { firstFolder } from '../sources/placement-fields.js';
import { changeOf, draftFor, draftOf, newAccountOf, type AccountDraft } from './account-draft.js';
import { retentionLabel, retentionsWithin, settingLabel } from './connector-words.js';
import { DialogActions } from '../../ui/dialog-actions.js';

interface AccountDialogProps {
  readonly connector: Connector;
  /** Undefined for a new account. */
  readonly account: Account | undefined;
  readonly folders: readonly Folder[];
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

interface SettingFieldsProps {
  readonly connector: Connector;
  readonly draft: AccountDraft;
  readonly set: (change: Partial<AccountDraft>) => void;
  readonly errorAt: (field: string) => string | undefined;
}

/** One field for each setting of the connector. */
const SettingFields = ({ connector, draft, set, errorAt }: SettingFieldsProps) =>
  connector.settings.map(({ name, about, isList }) => {
    const shared = {
      label: settingLabel(name),
      description: isList ? `${about} One on each line.` : about,
      required: true,
      value: draft.settings[name] ?? '',
      error: errorAt(`settings.${name}`),
      onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
        set({ settings: { ...draft.settings, [name]: event.currentTarget.value } }),
    };
    return isList ? <Textarea key={name} rows={4} {...shared} /> : <TextInput key={name} {...shared} />;
  });

export const AccountDialog = ({ connector, account, folders, onSaved, onClose }: AccountDialogProps) => {
  const api = useApi();
  const [keys] = useState(() => new IdempotencyKeys());
  const [draft, setDraft] = useState(() =>
    account ? draftOf(account) : draftFor(connector, firstFolder(folders, '')),
  );
  const set = (change: Partial<AccountDraft>): void => setDraft((before) => ({ ...before, ...change }));
  const { run, isBusy, error } = useAction(async () => {
    if (account) await api.call('PATCH /accounts/{id}', { id: account.id, body: changeOf(draft) });
    else {
      const body = newAccountOf(connector, draft);
      await api.call('POST /accounts', { body, idempotencyKey: keys.keyFor(body) });
    }
    onSaved();
  });
  // An entry of a list is identified by its index, such as settings.urls[0].
  const fieldOf = error?.field?.replace(/\[.*$/, '');
  const errorAt = (field: string) => (error && fieldOf === field ? messageAtField(error) : undefined);
  const hasField = fieldOf === 'label' || connector.settings.some(({ name }) => fieldOf === `settings.${name}`);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run();
  };
  return (
    <Modal opened onClose={onClose} title={account ? `Change ${account.label}` : `Connect ${connector.name}`} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Label"
            required
            maxLength={120}
            value={draft.label}
            dir="auto"
            data-autofocus
            error={errorAt('label')}
            onChange={(event) => set({ label: event.currentTarget.value })}
          />
          {!account && <SettingFields connector={connector} draft={draft} set={set} errorAt={errorAt} />}
          <NativeSelect
            label="Folder"
            value={draft.folderId}
            onChange={(event) => set({ folderId: event.currentTarget.value })}
            data={folders.map(({ id, name, tier }) => ({ value: id, label: `${name} (${tier})` }))}
          />
          <NativeSelect
            label="Keeps"
            description="How much of a text is stored here."
            value={draft.retention}
            onChange={(event) => set({ retention: event.currentTarget.value as Retention })}
            data={retentionsWithin(connector.retention).map((value) => ({ value, label: retentionLabel(value) }))}
          />
          {connector.capabilities.includes('hydrate:text') && (
            <>
              <Switch
                label="Fetch texts on demand"
                description="Off: what is not stored here stays at the source."
                checked={draft.hydrate}
                onChange={(event) => set({ hydrate: event.currentTarget.checked })}
              />
              <Switch
                label="Ask me before each fetch"
                description="On: an agent needs a confirmation that you issue."
                checked={draft.confirm}
                onChange={(event) => set({ confirm: event.currentTarget.checked })}
              />
            </>
          )}
          {error && !hasField && <ErrorNote error={error} />}
          <DialogActions onCancel={onClose}>
            <Button type="submit" loading={isBusy}>
              {account ? 'Save' : 'Connect'}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  );
};
