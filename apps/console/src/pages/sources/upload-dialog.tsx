import { Alert, Anchor, Button, FileInput, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { Link } from 'wouter';
import { IdempotencyKeys } from '../../api/idempotency-keys.js';
import type { Folder } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { plural, splitTags } from '../../ui/format.js';
import { StoredText } from '../../ui/stored-text.js';
import { firstFolder, PlacementFields } from './placement-fields.js';
import type { StoredSource } from './stored-source.js';
import { FILE_TYPES, isLeft, sendUploads, withFiles, type Upload } from './uploads.js';
import classes from './uploads.module.css';

interface UploadDialogProps {
  readonly folders: readonly Folder[];
  /** The folder whose list the page shows. */
  readonly shownFolder: string;
  /** The files that were dropped on the page. */
  readonly dropped: { readonly files: readonly File[]; readonly folders: number };
  readonly onStored: (stored: StoredSource) => void;
  readonly onClose: () => void;
}

const UploadRow = ({ upload: { file, state, itemId, error } }: { readonly upload: Upload }) => (
  <li>
    <Text size="sm" className={classes.name ?? ''}>
      {itemId === undefined ? (
        <StoredText>{file.name}</StoredText>
      ) : (
        <Anchor component={Link} href={`/sources/${itemId}`}>
          <StoredText>{file.name}</StoredText>
        </Anchor>
      )}
    </Text>
    <Text size="sm" {...(state === 'failed' ? { c: 'var(--mantine-color-error)' } : { c: 'dimmed' })}>
      {error ? `failed: ${error.message}` : state}
    </Text>
  </li>
);

/** The files with their states, and the function that sends the remaining ones. */
const useUploads = (dropped: readonly File[], send: (file: File) => Promise<{ readonly id: string }>) => {
  const [uploads, setUploads] = useState(() => withFiles([], dropped));
  const [isBusy, setBusy] = useState(false);
  const isStopped = useRef(false);
  useEffect(() => {
    isStopped.current = false;
    setUploads((before) => withFiles(before, dropped));
    return () => void (isStopped.current = true);
  }, [dropped]);
  const onStep = (step: Upload): void =>
    setUploads((before) => before.map((upload) => (upload.file === step.file ? step : upload)));
  const run = (): void => {
    setBusy(true);
    void sendUploads(uploads, { send, onStep, isStopped: () => isStopped.current }).then(() => setBusy(false));
  };
  return { uploads, isBusy, run, add: (files: readonly File[]) => setUploads((before) => withFiles(before, files)) };
};

/** Uploads several files into one folder. They are listed before they are sent, so the folder can be chosen first. */
export const UploadDialog = ({ folders, shownFolder, dropped, onStored, onClose }: UploadDialogProps) => {
  const api = useApi();
  const [placement, setPlacement] = useState({ folderId: firstFolder(folders, shownFolder), tags: '' });
  const { folderId, tags } = placement;
  const [keys] = useState(() => new IdempotencyKeys());
  const send = async (file: File): Promise<{ readonly id: string }> => {
    const form = new FormData();
    form.append('folderId', folderId);
    for (const tag of splitTags(tags)) form.append('tags', tag);
    form.append('file', file);
    const { name, size, lastModified } = file;
    const key = keys.keyFor({ name, size, lastModified, folderId, tags });
    const { id } = await api.call('POST /items', { form, idempotencyKey: key });
    onStored({ id, title: file.name, folderId, kind: 'file' });
    return { id };
  };
  const { uploads, isBusy, run, add } = useUploads(dropped.files, send);
  const count = (state: Upload['state']): number => uploads.filter((upload) => upload.state === state).length;
  const left = uploads.filter(isLeft).length;
  const isDone = uploads.length > 0 && count('stored') === uploads.length;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run();
  };
  return (
    <Modal opened onClose={onClose} title="Upload files" size="lg">
      <form onSubmit={submit}>
        <Stack>
          <FileInput
            label="Files"
            description="Text, Markdown, CSV, JSON, HTML, PDF or Word, up to 20 MiB each. Or drop them on the page."
            placeholder="Choose files"
            multiple
            accept={FILE_TYPES}
            value={[]}
            disabled={isBusy}
            data-autofocus
            onChange={add}
          />
          {dropped.folders > 0 && (
            <Alert color="yellow" title="Folders are left out">
              Drop the files themselves, or import a whole folder with `npx cairn import`.
            </Alert>
          )}
          <PlacementFields folders={folders} value={placement} onChange={setPlacement} isDisabled={isBusy} />
          {uploads.length > 0 && (
            <>
              <ul className={classes.list} aria-label="Files to upload">
                {uploads.map((upload, index) => (
                  <UploadRow key={index} upload={upload} />
                ))}
              </ul>
              <Progress value={(100 * count('stored')) / uploads.length} aria-label="Stored files" />
            </>
          )}
          <Text size="sm" role="status">
            {uploads.length > 0 && `${count('stored')} of ${plural(uploads.length, 'file')} stored`}
            {count('failed') > 0 && `, ${count('failed')} failed`}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {count('stored') > 0 ? 'Close' : 'Cancel'}
            </Button>
            {!isDone && (
              <Button type="submit" loading={isBusy} disabled={left === 0}>
                {left === 0 ? 'Store files' : `Store ${plural(left, 'file')}`}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
