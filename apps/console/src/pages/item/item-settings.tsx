import { Button, Card, Group, NativeSelect, Stack, Switch, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useAction } from '../../api/use-load.js';
import type { Folder, ItemChange, ItemDetail } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { splitTags, TAGS_HINT } from '../../ui/format.js';
import { ErrorNote } from '../../ui/states.js';

interface ItemSettingsProps {
  readonly item: ItemDetail;
  readonly folders: readonly Folder[];
  readonly onSaved: () => void;
}

/** Only changed fields are sent: an untouched field must not overwrite another user's change. */
const changeOf = (item: ItemDetail, edited: Required<ItemChange>): ItemChange => ({
  ...(edited.title === item.title ? {} : { title: edited.title }),
  ...(edited.folderId === item.folderId ? {} : { folderId: edited.folderId }),
  ...(edited.inKb === item.inKb ? {} : { inKb: edited.inKb }),
  ...(edited.tags.join() === item.tags.join() ? {} : { tags: edited.tags }),
});

export const ItemSettings = ({ item, folders, onSaved }: ItemSettingsProps) => {
  const api = useApi();
  const [title, setTitle] = useState(item.title);
  const [folderId, setFolderId] = useState(item.folderId);
  const [inKb, setInKb] = useState(item.inKb);
  const [tags, setTags] = useState(item.tags.join(', '));
  const change = changeOf(item, { title: title.trim(), folderId, inKb, tags: splitTags(tags) });
  const { run, isBusy, error } = useAction(async () => {
    await api.call('PATCH /items/{id}', { id: item.id, body: change });
    onSaved();
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run();
  };
  return (
    <Card component="form" onSubmit={submit} withBorder padding="md" aria-label="Settings of the item">
      <Stack gap="sm">
        <Group grow preventGrowOverflow={false} align="flex-start">
          <TextInput
            label="Title"
            required
            maxLength={500}
            value={title}
            dir="auto"
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <NativeSelect
            label="Folder"
            value={folderId}
            onChange={(event) => setFolderId(event.currentTarget.value)}
            data={folders.map(({ id, name, tier }) => ({ value: id, label: `${name} (${tier})` }))}
          />
        </Group>
        <TextInput
          label="Tags"
          description={TAGS_HINT}
          value={tags}
          dir="auto"
          onChange={(event) => setTags(event.currentTarget.value)}
        />
        <Switch
          label="In the knowledge base"
          description="Off: it is kept, but no search finds it."
          checked={inKb}
          onChange={(event) => setInKb(event.currentTarget.checked)}
        />
        {error && <ErrorNote error={error} />}
        <Group>
          <Button type="submit" variant="light" loading={isBusy} disabled={Object.keys(change).length === 0}>
            Save changes
          </Button>
        </Group>
      </Stack>
    </Card>
  );
};
