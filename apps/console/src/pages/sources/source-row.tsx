import { Anchor, Badge, Card, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Folder, Item } from '../../api/answers.js';
import { KindBadge } from '../../ui/kind-badge.js';
import { StoredText } from '../../ui/stored-text.js';
import { TierBadge } from '../../ui/tier-badge.js';
import { When } from '../../ui/when.js';
import classes from './source-row.module.css';

interface SourceRowProps {
  readonly item: Item;
  readonly folder: Folder | undefined;
}

export const SourceRow = ({ item, folder }: SourceRowProps) => (
  <Card component="li" withBorder padding="sm" className={classes.row ?? ''} data-kind={item.kind}>
    <Group justify="space-between" align="flex-start" gap="xs">
      <Anchor component={Link} href={`/sources/${item.id}`} fw={600} className={classes.title ?? ''}>
        <StoredText>{item.title}</StoredText>
      </Anchor>
      <KindBadge kind={item.kind} />
    </Group>
    <Group gap="xs" mt={4}>
      <Text size="xs" c="dimmed">
        {folder && (
          <>
            in <StoredText>{folder.name}</StoredText> ·{' '}
          </>
        )}
        by <StoredText>{item.createdByAgentId}</StoredText> · <When at={item.createdAt} />
      </Text>
      {folder?.tier === 'sensitive' && <TierBadge tier="sensitive" />}
      {!item.inKb && (
        <Badge variant="outline" color="gray" tt="none" radius="sm">
          kept out of the knowledge base
        </Badge>
      )}
      {item.superseded && (
        <Badge variant="light" color="yellow" tt="none" radius="sm">
          superseded
        </Badge>
      )}
      {item.embeddingStatus !== 'ready' && (
        <Badge variant="light" color={item.embeddingStatus === 'failed' ? 'red' : 'gray'} tt="none" radius="sm">
          vectors {item.embeddingStatus}
        </Badge>
      )}
    </Group>
  </Card>
);
