import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useSearchParams } from 'wouter';
import { usePages } from '../../api/use-load.js';
import { choiceOf } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { EmptyState, ListState, MoreButton, PageHead } from '../../ui/states.js';
import { ENTITY_TYPES } from './entity-look.js';
import { EntityRow } from './entity-row.js';
import classes from './graph.module.css';
import { Overview } from './overview.js';

const TYPES = [{ value: '', label: 'All' }, ...ENTITY_TYPES.map((type) => ({ value: type, label: type }))];

/** One request returns enough entities to choose the one for the overview. */
const PAGE_SIZE = 60;

/** Finds an entity by its name; its own page shows its surroundings. */
export const GraphPage = () => {
  const api = useApi();
  const [params, setParams] = useSearchParams();
  const [asked, type] = [params.get('q') ?? '', params.get('type') ?? ''];
  const [query, setQuery] = useState(asked);
  const { items, error, reload, ...more } = usePages(JSON.stringify([asked, type]), (cursor) =>
    api.call('GET /entities', {
      query: { query: asked, type: choiceOf(ENTITY_TYPES, type), cursor, limit: PAGE_SIZE },
    }),
  );
  const ask = (text: string, of: string): void =>
    setParams({ ...(text === '' ? {} : { q: text }), ...(of === '' ? {} : { type: of }) });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    ask(query.trim(), type);
  };
  return (
    <>
      <PageHead
        title="Graph"
        note="Who and what your texts name, and what they say about it. Each edge leads to its text."
      />
      <form onSubmit={submit} role="search">
        <Group mb="lg" align="flex-end">
          <TextInput
            flex="3 1 12rem"
            label="Name"
            placeholder="A person, a project, a tool …"
            value={query}
            maxLength={200}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
          <NativeSelect
            flex="1 1 8rem"
            label="Type"
            value={type}
            data={TYPES}
            onChange={(event) => ask(query.trim(), event.currentTarget.value)}
          />
          <Button type="submit">Find</Button>
        </Group>
      </form>
      <ListState
        items={items}
        error={error}
        reload={reload}
        empty={
          asked === '' && type === '' ? (
            <EmptyState title="The graph is empty">
              It fills by itself as texts are stored in the knowledge base: names become entities, and what a text says
              of two of them becomes an edge.
            </EmptyState>
          ) : (
            <EmptyState title="No entity has such a name">
              Try the beginning of a word of the name, or another type.
            </EmptyState>
          )
        }
      >
        <Stack gap="lg">
          {items && asked === '' && type === '' && <Overview entities={items} />}
          <ul id="entities" tabIndex={-1} className={classes.grid} aria-label="Entities">
            {items?.map((entity) => (
              <EntityRow key={entity.id} entity={entity} />
            ))}
          </ul>
        </Stack>
        <MoreButton {...more} />
      </ListState>
    </>
  );
};
