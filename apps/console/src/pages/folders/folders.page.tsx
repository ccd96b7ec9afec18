import { Anchor, Badge, Button, Card, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useFolders } from '../../api/use-folders.js';
import type { Folder } from '../../api/answers.js';
import { plural } from '../../ui/format.js';
import { EmptyState, ListState, PageHead } from '../../ui/states.js';
import { StoredText } from '../../ui/stored-text.js';
import { useRights } from '../../session/session.js';
import { TierBadge } from '../../ui/tier-badge.js';
import { FolderDialog } from './folder-dialog.js';

interface FolderCardProps {
  readonly folder: Folder;
  /** Undefined if the user may not edit folders. */
  readonly onEdit: (() => void) | undefined;
}

const FolderCard = ({ folder, onEdit }: FolderCardProps) => (
  <Card component="li" withBorder padding="md">
    <Group justify="space-between" align="flex-start" wrap="nowrap">
      <div>
        <Group gap="xs">
          <Text fw={600} component="h2" size="md" m={0}>
            <StoredText>{folder.name}</StoredText>
          </Text>
          <TierBadge tier={folder.tier} />
          <Badge variant="outline" color="gray" tt="none" radius="sm">
            {folder.maxTokensPerRecall === null
              ? 'default cap'
              : `at most ${plural(folder.maxTokensPerRecall, 'token')} per recall`}
          </Badge>
        </Group>
        <Text size="xs" c="dimmed">
          {folder.slug} ·{' '}
          <Anchor component={Link} href={`/sources?folder=${folder.id}`} size="xs">
            show its sources
          </Anchor>
        </Text>
      </div>
      {onEdit && (
        <Button flex="none" variant="default" size="xs" aria-label={`Edit ${folder.name}`} onClick={onEdit}>
          Edit
        </Button>
      )}
    </Group>
    {folder.readme !== '' && (
      <Text component="div" size="sm" mt="xs" lineClamp={4}>
        <StoredText isBlock>{folder.readme}</StoredText>
      </Text>
    )}
  </Card>
);

export const FoldersPage = () => {
  const { data: folders, error, reload } = useFolders();
  const { isAdmin } = useRights();
  const [edited, setEdited] = useState<Folder | 'new'>();
  return (
    <>
      <PageHead
        title="Folders"
        note="A tier says who sees a folder: public and personal ones are open to agents within their tokens, sensitive ones to no agent at all."
      >
        {isAdmin && <Button onClick={() => setEdited('new')}>New folder</Button>}
      </PageHead>
      <ListState
        items={folders}
        error={error}
        reload={reload}
        empty={
          <EmptyState title="There are no folders">
            {isAdmin ? 'Create one with “New folder”.' : 'None is open to this token.'}
          </EmptyState>
        }
      >
        <Stack component="ul" gap="xs" p={0} m={0} aria-label="Folders">
          {folders?.map((folder) => (
            <FolderCard key={folder.id} folder={folder} onEdit={isAdmin ? () => setEdited(folder) : undefined} />
          ))}
        </Stack>
      </ListState>
      {edited && (
        <FolderDialog
          folder={edited === 'new' ? undefined : edited}
          onSaved={() => {
            setEdited(undefined);
            reload();
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
};
