import { Badge } from '@mantine/core';
import type { ComponentType } from 'react';
import type { ItemKind } from '../api/answers.js';
import { ActivityIcon, ChatIcon, ClipIcon, CommitIcon, DocumentIcon, FileIcon, KnowledgeIcon } from './icons.js';

interface Look {
  readonly label: string;
  readonly color: string;
  readonly variant: 'filled' | 'light' | 'outline';
  readonly Icon: ComponentType<{ size?: number }>;
}

/** The two kinds that agents remember must never be mistaken for each other: colour, fill, icon and word all differ. */
const LOOKS: Record<ItemKind, Look> = {
  clip: { label: 'Clip', color: 'orange', variant: 'outline', Icon: ClipIcon },
  'ai-conversation': { label: 'AI conversation', color: 'violet', variant: 'filled', Icon: ChatIcon },
  knowledge: { label: 'Knowledge', color: 'teal', variant: 'light', Icon: KnowledgeIcon },
  document: { label: 'Document', color: 'blue', variant: 'light', Icon: DocumentIcon },
  file: { label: 'File', color: 'cyan', variant: 'light', Icon: FileIcon },
  commit: { label: 'Commit', color: 'gray', variant: 'light', Icon: CommitIcon },
  'log-card': { label: 'Log card', color: 'gray', variant: 'outline', Icon: ActivityIcon },
  observations: { label: 'Observations', color: 'grape', variant: 'light', Icon: ActivityIcon },
  rollup: { label: 'Daily totals', color: 'grape', variant: 'outline', Icon: ActivityIcon },
};

export const kindLabel = (kind: ItemKind): string => LOOKS[kind].label;

export const KindBadge = ({ kind }: { readonly kind: ItemKind }) => {
  const { label, color, variant, Icon } = LOOKS[kind];
  return (
    <Badge color={color} variant={variant} leftSection={<Icon size={12} />} data-kind={kind} tt="none" radius="sm">
      {label}
    </Badge>
  );
};
