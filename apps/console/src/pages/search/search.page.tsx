import { Alert, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useSearchParams } from 'wouter';
import { useFolders } from '../../api/use-folders.js';
import { useLoad } from '../../api/use-load.js';
import type { SearchMode } from '../../api/answers.js';
import { useApi, useRights } from '../../session/session.js';
import { plural } from '../../ui/format.js';
import { EmptyState, ListState, PageHead } from '../../ui/states.js';
import { HitCard } from './hit-card.js';

const MODES: readonly { readonly value: SearchMode; readonly label: string }[] = [
  { value: 'hybrid', label: 'Hybrid' },
  { value: 'semantic', label: 'Semantic' },
  { value: 'keyword', label: 'Keyword' },
];

const RELATIVE =
  'A score compares the hits of this answer only: the best match of each bar counts as 1, the weakest as 0. It does not ' +
  'say how certain a hit is: even a question without an answer has a best hit.';

/** Explains the scores of each mode. */
const SCORE_HELP: Readonly<Record<SearchMode, string>> = {
  hybrid: RELATIVE,
  keyword: RELATIVE,
  semantic: 'A score is how near the meaning of question and text are, as a cosine: it can be compared across answers.',
};

const modeOf = (text: string | null): SearchMode => MODES.find(({ value }) => value === text)?.value ?? 'hybrid';

interface ResultsProps {
  readonly query: string;
  readonly mode: SearchMode;
}

const Results = ({ query, mode }: ResultsProps) => {
  const api = useApi();
  const { data, error, reload } = useLoad(`${mode}:${query}`, () => api.search(query, mode));
  const folders = useFolders();
  return (
    <ListState
      items={data?.hits}
      error={error}
      reload={reload}
      empty={
        <EmptyState title="Nothing was found">
          Try other words or the mode Semantic. Only what is in the knowledge base is found, and nothing in sensitive
          folders.
        </EmptyState>
      }
    >
      <Stack aria-label="Results" role="region">
        {data?.degraded && (
          <Alert color="yellow" title="Only keywords were searched">
            The embedder is unavailable. See System; search by meaning resumes when it is back.
          </Alert>
        )}
        <Text size="sm" c="dimmed" role="status">
          {plural(data?.hits.length ?? 0, 'chunk')}, best first
        </Text>
        <Text size="xs" c="dimmed" role="note" aria-label="How to read the scores">
          {SCORE_HELP[mode]}
        </Text>
        {data?.hits.map((hit) => (
          <HitCard key={hit.chunkId} hit={hit} folder={folders.data?.find(({ id }) => id === hit.folderId)} />
        ))}
      </Stack>
    </ListState>
  );
};

export const SearchPage = () => {
  const { toolsets } = useRights();
  const [params, setParams] = useSearchParams();
  const asked = params.get('q') ?? '';
  const mode = modeOf(params.get('mode'));
  const [query, setQuery] = useState(asked);
  const ask = (text: string, by: SearchMode): void => setParams({ ...(text === '' ? {} : { q: text }), mode: by });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    ask(query.trim(), mode);
  };
  return (
    <>
      <PageHead
        title="Search"
        note="As your agents see it: the same search, without sensitive folders, with how each score came about."
      />
      {!toolsets.includes('knowledge_base') && (
        <Alert color="yellow" title="This token cannot search here" mb="md">
          Its toolsets leave out knowledge_base, which this page asks.
        </Alert>
      )}
      <form onSubmit={submit} role="search">
        <Stack gap="sm" mb="lg">
          <Group wrap="nowrap" align="flex-end">
            <TextInput
              flex={1}
              label="Query"
              placeholder="What are you looking for?"
              value={query}
              maxLength={2_000}
              onChange={(event) => setQuery(event.currentTarget.value)}
            />
            <Button type="submit">Search</Button>
          </Group>
          <SegmentedControl
            aria-label="Mode"
            data={[...MODES]}
            value={mode}
            onChange={(value) => ask(query.trim(), modeOf(value))}
          />
        </Stack>
      </form>
      {asked === '' ? (
        <EmptyState title="Ask for something">
          Hybrid blends meaning and words; Semantic finds paraphrases; Keyword finds exact names and codes.
        </EmptyState>
      ) : (
        <Results query={asked} mode={mode} />
      )}
    </>
  );
};
