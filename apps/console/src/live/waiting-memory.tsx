import { Text } from '@mantine/core';
import type { Confirmation } from '../api/answers.js';
import { KindBadge } from '../ui/kind-badge.js';
import { StoredText } from '../ui/stored-text.js';
import classes from './waiting-memory.module.css';

const CHARS_ON_A_PHONE = 80;
const LINES_ON_A_PHONE = 2;

/** True if the shortened preview hides some of the text on a narrow screen. */
export const isCut = ({ preview }: Pick<Confirmation, 'preview'>): boolean =>
  preview.length > CHARS_ON_A_PHONE || preview.split('\n').length > LINES_ON_A_PHONE;

interface WaitingMemoryProps {
  readonly memory: Confirmation;
  /** Shows the whole preview instead of its first lines. */
  readonly isWhole?: boolean;
}

/** A waiting memory: its kind, its label if it has one, and its preview. */
export const WaitingMemory = ({ memory: { kind, label, preview }, isWhole = false }: WaitingMemoryProps) => (
  <>
    <Text size="sm" component="div" lineClamp={2}>
      <KindBadge kind={kind} />{' '}
      {label !== null && (
        <Text span fw={600}>
          <StoredText>{label}</StoredText>
        </Text>
      )}
    </Text>
    <Text size="sm" component="blockquote" className={classes.preview ?? ''} data-whole={isWhole}>
      <StoredText isBlock>{preview}</StoredText>
    </Text>
  </>
);
