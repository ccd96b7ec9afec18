import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Folder } from '../../api/answers.js';
import { DropTarget, type Dropped } from './drop-target.js';
import { NoteDialog } from './note-dialog.js';
import type { StoredSource } from './stored-source.js';
import { UploadDialog } from './upload-dialog.js';

interface AddSourcesProps {
  readonly folders: readonly Folder[];
  readonly shownFolder: string;
  readonly onStored: (stored: StoredSource) => void;
}

const NOTHING_DROPPED: Dropped = { files: [], folders: 0 };

/** The ways a person can store something: a note, or files that are chosen or dropped on the page. */
export const AddSources = ({ folders, shownFolder, onStored }: AddSourcesProps) => {
  const [isWriting, setWriting] = useState(false);
  const [dropped, setDropped] = useState<Dropped>();
  const [noteButton, uploadButton] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)];
  const shared = { folders, shownFolder };
  // A closed dialog returns the focus; otherwise keyboard users would start again at the top of the page.
  const closeNote = (): void => {
    setWriting(false);
    noteButton.current?.focus();
  };
  const closeUpload = (): void => {
    setDropped(undefined);
    uploadButton.current?.focus();
  };
  const noteStored = (stored: StoredSource): void => {
    closeNote();
    onStored(stored);
  };
  return (
    <>
      <Button ref={uploadButton} variant="default" onClick={() => setDropped(NOTHING_DROPPED)}>
        Upload
      </Button>
      <Button ref={noteButton} onClick={() => setWriting(true)}>
        New note
      </Button>
      {!isWriting && <DropTarget onDrop={setDropped} />}
      {isWriting && <NoteDialog {...shared} onStored={noteStored} onClose={closeNote} />}
      {dropped && <UploadDialog {...shared} dropped={dropped} onStored={onStored} onClose={closeUpload} />}
    </>
  );
};
