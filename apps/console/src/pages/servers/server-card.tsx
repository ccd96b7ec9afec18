import { Alert, Badge, Button, Card, Group, Text } from '@mantine/core';
import { useAction } from '../../api/use-load.js';
import type { Server } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { ErrorNote } from '../../ui/states.js';
import { StoredText } from '../../ui/stored-text.js';
import { ToolList } from './tool-list.js';
import { toApprove, toolSummary } from './tool-states.js';

interface ServerCardProps {
  readonly server: Server;
  readonly onChanged: () => void;
  readonly onApprove: () => void;
  readonly onRemove: () => void;
}

const STATE_COLORS: Record<Server['state'], string> = { connected: 'teal', unavailable: 'red', disabled: 'gray' };

const ERAS: Record<NonNullable<Server['era']>, string> = {
  stateless: 'stateless protocol',
  initialize: 'protocol with sessions',
  sse: 'SSE of older servers',
};

const Facts = ({ server }: { readonly server: Server }) => (
  <Text size="sm" c="dimmed">
    <StoredText>{server.url}</StoredText> · {server.era === null ? 'protocol not known' : ERAS[server.era]} ·{' '}
    {server.approval === 'manual' ? 'approved by hand' : 'trusted at first use'} · {toolSummary(server.tools)}
  </Text>
);

export const ServerCard = ({ server, onChanged, onApprove, onRemove }: ServerCardProps) => {
  const api = useApi();
  const toggle = useAction(async () => {
    await api.call('PATCH /mcp-servers/{id}', { id: server.id, body: { enabled: !server.enabled } });
    onChanged();
  });
  const refresh = useAction(async () => {
    await api.call('POST /mcp-servers/{id}/refresh', { id: server.id });
    onChanged();
  });
  const error = toggle.error ?? refresh.error;
  return (
    <Card component="li" withBorder padding="md" aria-label={server.name}>
      <Group gap="xs">
        <Text fw={600} component="h2" size="md" m={0}>
          <StoredText>{server.name}</StoredText>
        </Text>
        <Badge variant="light" color={STATE_COLORS[server.state]}>
          {server.state}
        </Badge>
      </Group>
      <Facts server={server} />
      {server.lastError !== null && (
        <Alert color="yellow" mt="xs" title="The last discovery found nothing">
          <StoredText>{server.lastError}</StoredText>
        </Alert>
      )}
      {server.tools.length > 0 && <ToolList server={server} />}
      {error && <ErrorNote error={error} />}
      <Group gap="xs" mt="sm">
        {toApprove(server.tools).length > 0 && (
          <Button size="xs" aria-label={`Approve tools of ${server.name}`} onClick={onApprove}>
            Approve
          </Button>
        )}
        {server.enabled && (
          <Button
            size="xs"
            variant="default"
            aria-label={`Refresh ${server.name}`}
            loading={refresh.isBusy}
            onClick={() => refresh.run()}
          >
            Refresh
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          aria-label={`${server.enabled ? 'Disable' : 'Enable'} ${server.name}`}
          loading={toggle.isBusy}
          onClick={() => toggle.run()}
        >
          {server.enabled ? 'Disable' : 'Enable'}
        </Button>
        <Button size="xs" variant="outline" color="red" aria-label={`Remove ${server.name}`} onClick={onRemove}>
          Remove
        </Button>
      </Group>
    </Card>
  );
};
