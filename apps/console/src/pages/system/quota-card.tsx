import { Button, Card, Group, Progress, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import type { BodyOf } from '../../api/answers.js';
import { useAction, useLoad } from '../../api/use-load.js';
import { useApi } from '../../session/session.js';
import { barPercent, wholeNumber } from '../../ui/format.js';
import { ErrorNote } from '../../ui/states.js';

export const QuotaCard = () => {
  const api = useApi();
  const { data, error, reload } = useLoad('quotas', () => api.call('GET /quotas'));
  const [typed, setTyped] = useState<string>();
  const quota = data?.knowledge_stored;
  const text = typed ?? quota?.limit?.toString() ?? '';
  const limit = wholeNumber(text);
  const saving = useAction(async (body: BodyOf<'PUT /quotas/knowledge_stored'>) => {
    await api.call('PUT /quotas/knowledge_stored', { body });
    setTyped(undefined);
    reload();
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (limit !== undefined) saving.run({ limit });
  };
  return (
    <section aria-label="Quotas">
      <Title order={2} size="h4" mb="xs">
        Quotas
      </Title>
      {error && <ErrorNote error={error} onRetry={reload} />}
      {quota && (
        <Card component="form" onSubmit={submit} withBorder padding="md">
          <Stack gap="sm">
            <Text size="sm">
              Knowledge entries stored: {quota.used.toLocaleString('en')}
              {quota.limit === null ? ', without a limit' : ` of ${quota.limit.toLocaleString('en')}`}
            </Text>
            {quota.limit !== null && (
              <Progress value={barPercent(quota.used, quota.limit)} aria-label="Share of the quota that is used" />
            )}
            <Group align="flex-start">
              <TextInput
                label="Limit"
                description="Empty: none."
                inputMode="numeric"
                value={text}
                error={limit === undefined && 'A whole number, or nothing.'}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
            </Group>
            {saving.error && <ErrorNote error={saving.error} />}
            <Group>
              <Button type="submit" variant="light" loading={saving.isBusy} disabled={limit === quota.limit}>
                Set limit
              </Button>
            </Group>
          </Stack>
        </Card>
      )}
    </section>
  );
};
