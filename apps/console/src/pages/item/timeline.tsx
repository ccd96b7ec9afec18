import { Text, Timeline as MantineTimeline, Title } from '@mantine/core';
import { useEffect } from 'react';
import { usePages } from '../../api/use-load.js';
import { useApi } from '../../session/session.js';
import { EmptyState, ListState, MoreButton } from '../../ui/states.js';
import { OpDetails } from '../activity/op-details.js';
import { StoredText } from '../../ui/stored-text.js';
import { When } from '../../ui/when.js';

interface TimelineProps {
  readonly itemId: string;
  /** Changes whenever there may be new entries. */
  readonly changes: string;
}

/** The history of an item, from the log: it continues after the item itself is forgotten. */
export const Timeline = ({ itemId, changes }: TimelineProps) => {
  const api = useApi();
  const { items, error, reload, ...more } = usePages(`ops:${itemId}`, (cursor) =>
    api.call('GET /ops', { query: { itemId, cursor } }),
  );
  useEffect(() => reload(), [changes, reload]);
  return (
    <section aria-label="Timeline">
      <Title order={2} size="h4" mb="sm">
        Timeline
      </Title>
      <ListState
        items={items}
        error={error}
        reload={reload}
        empty={<EmptyState title="The log knows nothing of this item">Check the address.</EmptyState>}
      >
        <MantineTimeline bulletSize={14} lineWidth={2} active={items?.length ?? 0}>
          {items?.map((op) => (
            <MantineTimeline.Item key={op.id} title={op.type}>
              <Text size="xs" c="dimmed">
                <When at={op.at} /> by <StoredText>{op.actor.agentId}</StoredText> · position {op.position}
              </Text>
              <OpDetails op={op} />
            </MantineTimeline.Item>
          ))}
        </MantineTimeline>
        <MoreButton {...more} />
      </ListState>
    </section>
  );
};
