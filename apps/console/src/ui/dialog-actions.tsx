import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** The last row of a dialog: Cancel, then what the dialog does. */
export const DialogActions = ({
  onCancel,
  children,
}: {
  readonly onCancel: () => void;
  readonly children: ReactNode;
}) => (
  <Group justify="flex-end">
    <Button variant="default" onClick={onCancel}>
      Cancel
    </Button>
    {children}
  </Group>
);
