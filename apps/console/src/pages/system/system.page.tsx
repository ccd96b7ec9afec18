import { Alert, Badge, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useLoad } from '../../api/use-load.js';
import type { AnswerTo } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { ErrorNote, Loading, PageHead } from '../../ui/states.js';
import { ProjectionList } from './projection-list.js';
import { QuotaCard } from './quota-card.js';

const Components = ({ components }: { readonly components: AnswerTo<'GET /status'>['components'] }) => (
  <Stack component="ul" gap="xs" p={0} m={0} aria-label="Components">
    {components.map(({ name, ok, version, note }) => (
      <Card key={name} component="li" withBorder padding="sm">
        <Group justify="space-between">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Group gap="xs">
            <Text size="xs" c="dimmed">
              {[version, note].filter(Boolean).join(' · ')}
            </Text>
            <Badge color={ok ? 'teal' : 'red'}>{ok ? 'ok' : 'unavailable'}</Badge>
          </Group>
        </Group>
      </Card>
    ))}
  </Stack>
);

export const SystemPage = () => {
  const api = useApi();
  const { data: status, error, reload } = useLoad('status', () => api.call('GET /status'));
  return (
    <Stack gap="lg">
      <PageHead title="System" note="What runs, how far the read models are, and how much room is left." />
      {error && <ErrorNote error={error} onRetry={reload} />}
      {!status && !error && <Loading />}
      {status?.degraded && (
        <Alert color="yellow" title="Degraded" role="status">
          A component is unavailable. Writes are kept and applied once it is back; see the component that is not ok.
        </Alert>
      )}
      {status && (
        <section>
          <Title order={2} size="h4" mb="xs">
            Components
          </Title>
          <Components components={status.components} />
        </section>
      )}
      <ProjectionList />
      <QuotaCard />
    </Stack>
  );
};
