import { Button, Group, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useFolders } from '../api/use-folders.js';
import classes from './banner.module.css';

interface OtherFolderProps {
  readonly isBusy: boolean;
  readonly onUse: (folderId: string, name: string) => void;
}

/** For a memory that belongs in none of the suggested folders. */
export const OtherFolder = ({ isBusy, onUse }: OtherFolderProps) => {
  const { data: folders } = useFolders();
  const [chosen, setChosen] = useState('');
  const folder = folders?.find(({ id }) => id === chosen);
  return (
    <details className={classes.other}>
      <summary>Store it elsewhere</summary>
      <Group gap="xs" mt={4} align="flex-end">
        <NativeSelect
          size="xs"
          label="Another folder"
          flex="1 1 10rem"
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={[
            { value: '', label: 'Choose…' },
            ...(folders ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <Button
          size="xs"
          variant="default"
          disabled={isBusy || !folder}
          onClick={() => folder && onUse(folder.id, folder.name)}
        >
          Store there
        </Button>
      </Group>
    </details>
  );
};
