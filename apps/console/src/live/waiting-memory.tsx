import { Text } from '@mantine/core';
import type { Confirmation } from '../api/types.js';
import { KindBadge } from '../ui/kind-badge.js';
import { StoredText } from '../ui/stored-text.js';
import classes from './waiting-memory.module.css';

/** What waits: its kind, its label where it has one, and its first lines. */
export const WaitingMemory = ({ memory: { kind, label, preview } }: { readonly memory: Confirmation }) => (
  <>
    <Text size="sm" component="div" lineClamp={2}>
      <KindBadge kind={kind} />{' '}
      {label !== null && (
        <Text span fw={600}>
          <StoredText>{label}</StoredText>
        </Text>
      )}
    </Text>
    <Text size="sm" component="blockquote" className={classes.preview ?? ''}>
      <StoredText isBlock>{preview}</StoredText>
    </Text>
  </>
);
