import { Button, Modal, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useAction } from '../../api/use-load.js';
import type { Folder, Tier } from '../../api/answers.js';
import { CHOICES } from '../../api/gateway-api.js';
import { useApi } from '../../session/session.js';
import { slugOf, wholeNumber } from '../../ui/format.js';
import { ErrorNote } from '../../ui/states.js';
import { DialogActions } from '../../ui/dialog-actions.js';

interface FolderDialogProps {
  /** Undefined for a new folder. */
  readonly folder: Folder | undefined;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

const TIER_LABELS: Record<Tier, string> = {
  public: 'public: agents see it within their tokens',
  personal: 'personal: agents see it within their tokens',
  sensitive: 'sensitive: no agent ever sees it',
};

/** Fields that show the server's error beside them; any other error is shown below. */
const FIELDS_WITH_ERRORS = ['name', 'slug', 'maxTokensPerRecall', 'readme'];

export const FolderDialog = ({ folder, onSaved, onClose }: FolderDialogProps) => {
  const api = useApi();
  const [name, setName] = useState(folder?.name ?? '');
  const [slug, setSlug] = useState<string>();
  const [tier, setTier] = useState<Tier>(folder?.tier ?? 'personal');
  const [cap, setCap] = useState(folder?.maxTokensPerRecall?.toString() ?? '');
  const [readme, setReadme] = useState(folder?.readme ?? '');
  const maxTokensPerRecall = wholeNumber(cap);
  const { run, isBusy, error } = useAction(async (limit: Pick<Folder, 'maxTokensPerRecall'>) => {
    const fields = { name: name.trim(), tier, readme, ...limit };
    if (folder) await api.call('PATCH /folders/{id}', { id: folder.id, body: fields });
    else await api.call('POST /folders', { body: { ...fields, slug: slug ?? slugOf(name) } });
    onSaved();
  });
  const errorAt = (field: string) => (error?.field === field ? error.message : undefined);
  const isShownAtField = error?.field !== undefined && FIELDS_WITH_ERRORS.includes(error.field);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (maxTokensPerRecall !== undefined) run({ maxTokensPerRecall });
  };
  return (
    <Modal opened onClose={onClose} title={folder ? 'Edit folder' : 'New folder'} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Name"
            required
            maxLength={120}
            value={name}
            dir="auto"
            data-autofocus
            error={errorAt('name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {!folder && (
            <TextInput
              label="Slug"
              description="The short name that agents use. It stays when the name changes."
              required
              maxLength={64}
              value={slug ?? slugOf(name)}
              error={errorAt('slug')}
              onChange={(event) => setSlug(event.currentTarget.value)}
            />
          )}
          <NativeSelect
            label="Tier"
            value={tier}
            onChange={(event) => setTier(event.currentTarget.value as Tier)}
            data={CHOICES['POST /folders'].tier.map((value) => ({ value, label: TIER_LABELS[value] }))}
          />
          <TextInput
            label="Tokens per recall, at most"
            description="Empty: the default of the tier."
            inputMode="numeric"
            value={cap}
            error={
              maxTokensPerRecall === undefined
                ? 'A whole number from 0 to 100,000, or nothing.'
                : errorAt('maxTokensPerRecall')
            }
            onChange={(event) => setCap(event.currentTarget.value)}
          />
          <Textarea
            label="Readme"
            description="What belongs in here. The tool stats shows agents the first 500 characters."
            rows={4}
            maxLength={8_000}
            value={readme}
            error={errorAt('readme')}
            dir="auto"
            onChange={(event) => setReadme(event.currentTarget.value)}
          />
          {error && !isShownAtField && <ErrorNote error={error} />}
          <DialogActions onCancel={onClose}>
            <Button type="submit" loading={isBusy}>
              {folder ? 'Save' : 'Create folder'}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  );
};
