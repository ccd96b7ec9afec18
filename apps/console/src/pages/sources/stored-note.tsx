import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Folder } from '../../api/answers.js';
import { StoredText } from '../../ui/stored-text.js';
import type { StoredSource } from './stored-source.js';

interface StoredNoteProps {
  readonly stored: StoredSource | undefined;
  readonly folders: readonly Folder[];
}

/** Names the last stored item and links to it. It is rendered from the start, so screen readers announce the change. */
export const StoredNote = ({ stored, folders }: StoredNoteProps) => (
  <Text size="sm" role="status" aria-label="Last stored" mb={stored ? 'md' : 0}>
    {stored && (
      <>
        Stored{' '}
        <Anchor component={Link} href={`/sources/${stored.id}`}>
          <StoredText>{stored.title}</StoredText>
        </Anchor>{' '}
        in <StoredText>{folders.find(({ id }) => id === stored.folderId)?.name ?? ''}</StoredText>.
      </>
    )}
  </Text>
);
