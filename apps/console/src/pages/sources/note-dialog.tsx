import { Button, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { IdempotencyKeys } from '../../api/idempotency-keys.js';
import { useAction } from '../../api/use-load.js';
import type { Folder } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { splitTags } from '../../ui/format.js';
import { ErrorNote } from '../../ui/states.js';
import { firstFolder, PlacementFields } from './placement-fields.js';
import type { StoredSource } from './stored-source.js';
import { DialogActions } from '../../ui/dialog-actions.js';

interface NoteDialogProps {
  readonly folders: readonly Folder[];
  /** The folder whose list the page shows. */
  readonly shownFolder: string;
  readonly onStored: (stored: StoredSource) => void;
  readonly onClose: () => void;
}

/** Fields that show the server's error beside them; any other error is shown below. */
const FIELDS_WITH_ERRORS = ['title', 'text', 'folderId', 'tags'];

/** A note by the signed-in user. The server marks it as written by a human. */
export const NoteDialog = ({ folders, shownFolder, onStored, onClose }: NoteDialogProps) => {
  const api = useApi();
  const [keys] = useState(() => new IdempotencyKeys());
  const [title, setTitle] = useState('');
  const [text, setText] = useState('');
  const [placement, setPlacement] = useState({ folderId: firstFolder(folders, shownFolder), tags: '' });
  const { run, isBusy, error } = useAction(async () => {
    const { folderId, tags } = placement;
    const note = { title: title.trim(), text, folderId, tags: splitTags(tags) };
    const { id } = await api.call('POST /items', { body: note, idempotencyKey: keys.keyFor(note) });
    onStored({ id, title: note.title, folderId, kind: 'document' });
  });
  // An entry of a list is identified by its index, such as tags[0].
  const fieldOf = error?.field?.replace(/\[.*$/, '');
  const errorAt = (field: string) => (fieldOf === field ? error?.message : undefined);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run();
  };
  return (
    <Modal opened onClose={onClose} title="New note" size="lg">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Title"
            required
            maxLength={500}
            value={title}
            dir="auto"
            data-autofocus
            error={errorAt('title')}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <Textarea
            label="Text"
            required
            rows={8}
            maxLength={500_000}
            value={text}
            dir="auto"
            error={errorAt('text')}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <PlacementFields folders={folders} value={placement} onChange={setPlacement} errorAt={errorAt} />
          {error && !FIELDS_WITH_ERRORS.includes(fieldOf ?? '') && <ErrorNote error={error} />}
          <DialogActions onCancel={onClose}>
            <Button type="submit" loading={isBusy}>
              Store note
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  );
};
