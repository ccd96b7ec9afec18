import { Card, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { usePages } from '../../api/use-load.js';
import { choiceOf } from '../../api/answers.js';
import { CHOICES } from '../../api/gateway-api.js';
import { useLive } from '../../live/live.js';
import { useApi } from '../../session/session.js';
import { instantOf } from '../../ui/format.js';
import { EmptyState, ListState, MoreButton, PageHead } from '../../ui/states.js';
import { DiscardedList } from './discarded-list.js';
import { OpRow } from './op-row.js';
import { PendingList } from './pending-list.js';

const KINDS = CHOICES['GET /ops'].kind.toSorted();
const TYPES = CHOICES['GET /ops'].type.toSorted();
const TYPING_MS = 300;
const NO_FILTER = { kind: '', type: '', from: '', to: '' };

const anyOr = (values: readonly string[]) => [
  { value: '', label: 'All' },
  ...values.map((value) => ({ value, label: value })),
];

interface FiltersProps {
  readonly filter: typeof NO_FILTER;
  readonly onChange: (filter: typeof NO_FILTER) => void;
}

const Filters = ({ filter, onChange }: FiltersProps) => {
  const field = (name: keyof typeof NO_FILTER) => ({
    flex: '1 1 9rem',
    value: filter[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ ...filter, [name]: event.currentTarget.value }),
  });
  return (
    <Group mb="md" align="flex-end">
      <NativeSelect label="Kind" data={anyOr(KINDS)} {...field('kind')} />
      <NativeSelect label="Type" data={anyOr(TYPES)} {...field('type')} />
      <TextInput label="From" type="datetime-local" {...field('from')} />
      <TextInput label="To" type="datetime-local" {...field('to')} />
    </Group>
  );
};

export const ActivityPage = () => {
  const api = useApi();
  const { sourceChanges, pending } = useLive();
  const [filter, setFilter] = useState(NO_FILTER);
  const [asked] = useDebouncedValue(filter, TYPING_MS);
  const { items, error, reload, ...more } = usePages(JSON.stringify(asked), (cursor) =>
    api.call('GET /ops', {
      query: {
        kind: choiceOf(KINDS, asked.kind),
        type: choiceOf(TYPES, asked.type),
        from: instantOf(asked.from),
        to: instantOf(asked.to),
        cursor,
      },
    }),
  );
  useEffect(() => reload(), [sourceChanges, pending.length, reload]);
  return (
    <>
      <PageHead title="Activity" note="Every change of this workspace, from the log itself, newest first." />
      <PendingList />
      <DiscardedList />
      <Filters filter={filter} onChange={setFilter} />
      <ListState
        items={items}
        error={error}
        reload={reload}
        empty={<EmptyState title="No op fits">Widen the time or clear the filters.</EmptyState>}
      >
        <Card withBorder padding={0}>
          <Stack component="ul" gap={0} p={0} m={0} aria-label="Ops">
            {items?.map((op) => (
              <OpRow key={op.id} op={op} />
            ))}
          </Stack>
        </Card>
        <MoreButton {...more} />
      </ListState>
      <Text size="xs" c="dimmed" mt="md">
        What was forgotten stays in this list without its text.
      </Text>
    </>
  );
};
