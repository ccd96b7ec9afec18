import { Button, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAction } from '../api/use-load.js';
import { ErrorNote } from './states.js';
import { DialogActions } from './dialog-actions.js';

interface QuestionProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The label of the button that confirms. */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks once before an action that others will notice. It stays open after a failure and shows the reason. */
export const Question = ({ title, children, action, isDangerous = false, onConfirm, onClose }: QuestionProps) => {
  const { run, isBusy, error } = useAction(onConfirm);
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        {error && <ErrorNote error={error} />}
        <DialogActions onCancel={onClose}>
          <Button {...(isDangerous && { color: 'red' })} loading={isBusy} onClick={() => run()}>
            {action}
          </Button>
        </DialogActions>
      </Stack>
    </Modal>
  );
};
