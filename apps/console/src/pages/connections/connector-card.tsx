import { Button, Card, Group, Text } from '@mantine/core';
import type { Connector } from '../../api/answers.js';
import { SmallBadge } from '../../ui/small-badge.js';
import { capabilityLabel } from './connector-words.js';

interface ConnectorCardProps {
  readonly connector: Connector;
  readonly onConnect: () => void;
}

export const ConnectorCard = ({ connector, onConnect }: ConnectorCardProps) => (
  <Card component="li" withBorder padding="md">
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <div>
        <Group gap="xs">
          <Text fw={600} component="h3" size="md" m={0}>
            {connector.name}
          </Text>
          {connector.substrateTable && <SmallBadge color="blue">{connector.substrateTable.name}</SmallBadge>}
        </Group>
        <Text size="sm" c="dimmed">
          {connector.capabilities.map(capabilityLabel).join(' ')}
        </Text>
        {connector.substrateTable && (
          <Text size="xs" c="dimmed">
            Metrics: {connector.substrateTable.metrics.map(({ name }) => name.replaceAll('_', ' ')).join(', ')}
          </Text>
        )}
      </div>
      <Button flex="none" size="xs" variant="light" aria-label={`Connect ${connector.name}`} onClick={onConnect}>
        Connect
      </Button>
    </Group>
  </Card>
);
