import { Group, NativeSelect, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useFolders } from '../../api/use-folders.js';
import { usePages } from '../../api/use-load.js';
import { choiceOf } from '../../api/answers.js';
import { CHOICES } from '../../api/gateway-api.js';
import { useLive } from '../../live/live.js';
import { can, useApi, useRights } from '../../session/session.js';
import { kindLabel } from '../../ui/kind-badge.js';
import { EmptyState, ListState, MoreButton, PageHead } from '../../ui/states.js';
import { AddSources } from './add-sources.js';
import { SourceRow } from './source-row.js';
import { filterShowing, type StoredSource } from './stored-source.js';
import { StoredNote } from './stored-note.js';

const KINDS = CHOICES['GET /items'].kind;

const IN_KB = [
  { value: '', label: 'All' },
  { value: 'true', label: 'In the knowledge base' },
  { value: 'false', label: 'Kept out' },
];

export const SourcesPage = () => {
  const api = useApi();
  const rights = useRights();
  const { sourceChanges } = useLive();
  const [params, setParams] = useSearchParams();
  const filter = {
    kind: params.get('kind') ?? '',
    folderId: params.get('folder') ?? '',
    inKb: params.get('inKb') ?? '',
  };
  const folders = useFolders();
  const { items, error, reload, ...more } = usePages(JSON.stringify(filter), (cursor) =>
    api.call('GET /items', {
      query: {
        kind: choiceOf(KINDS, filter.kind),
        folderId: filter.folderId,
        inKb: filter.inKb === '' ? undefined : filter.inKb === 'true',
        cursor,
      },
    }),
  );
  useEffect(() => {
    if (sourceChanges > 0) reload();
  }, [sourceChanges, reload]);
  const choose = (name: string) => (event: { readonly currentTarget: { readonly value: string } }) => {
    const { value } = event.currentTarget;
    setParams((before) => {
      const next = new URLSearchParams(before);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    });
  };
  const [stored, setStored] = useState<StoredSource>();
  const onStored = (source: StoredSource): void => {
    setStored(source);
    setParams((before) => filterShowing(before, source));
    reload();
  };
  const isFiltered = Object.values(filter).some((value) => value !== '');
  return (
    <>
      <PageHead title="Sources" note="Everything that is stored, newest first.">
        {can(rights, 'write') && folders.data && folders.data.length > 0 && (
          <AddSources folders={folders.data} shownFolder={filter.folderId} onStored={onStored} />
        )}
      </PageHead>
      <StoredNote stored={stored} folders={folders.data ?? []} />
      <Group mb="md" align="flex-end">
        <NativeSelect
          label="Kind"
          flex="1 1 8rem"
          value={filter.kind}
          onChange={choose('kind')}
          data={[{ value: '', label: 'All' }, ...KINDS.map((kind) => ({ value: kind, label: kindLabel(kind) }))]}
        />
        <NativeSelect
          label="Folder"
          flex="1 1 8rem"
          value={filter.folderId}
          onChange={choose('folder')}
          data={[
            { value: '', label: 'All' },
            ...(folders.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <NativeSelect
          label="Knowledge base"
          flex="1 1 8rem"
          value={filter.inKb}
          onChange={choose('inKb')}
          data={IN_KB}
        />
      </Group>
      <ListState
        items={items}
        error={error}
        reload={reload}
        empty={
          <EmptyState title={isFiltered ? 'Nothing fits these filters' : 'Nothing is stored yet'}>
            {isFiltered
              ? 'Set them to All to see everything.'
              : 'Connect an agent over MCP and let it remember something, write a note, or upload a file.'}
          </EmptyState>
        }
      >
        <Stack component="ul" gap="xs" p={0} m={0} aria-label="Sources">
          {items?.map((item) => (
            <SourceRow key={item.id} item={item} folder={folders.data?.find(({ id }) => id === item.folderId)} />
          ))}
        </Stack>
        <MoreButton {...more} />
      </ListState>
    </>
  );
};
