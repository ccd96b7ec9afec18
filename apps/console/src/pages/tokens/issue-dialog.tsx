import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { Folder } from '../../api/answers.js';
import { IssueForm } from './issue-form.js';
import { Secret } from './secret.js';

interface IssueDialogProps {
  readonly folders: readonly Folder[];
  readonly onIssued: () => void;
  readonly onClose: () => void;
}

/** The form, then the secret, which is shown once and cannot be closed by accident. */
export const IssueDialog = ({ folders, onIssued, onClose }: IssueDialogProps) => {
  const [secret, setSecret] = useState<string>();
  const isShown = secret !== undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      title={isShown ? 'Copy the token now' : 'Issue token'}
      size="lg"
      closeOnClickOutside={!isShown}
      closeOnEscape={!isShown}
      withCloseButton={!isShown}
    >
      {isShown ? (
        <Secret secret={secret} onClose={onClose} />
      ) : (
        <IssueForm
          folders={folders}
          onCancel={onClose}
          onIssued={(token) => {
            setSecret(token);
            onIssued();
          }}
        />
      )}
    </Modal>
  );
};
