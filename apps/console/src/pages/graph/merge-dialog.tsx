import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useAction, useLoad } from '../../api/use-load.js';
import type { Entity } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { EmptyState, ErrorNote, ListState } from '../../ui/states.js';
import { StoredText } from '../../ui/stored-text.js';
import { EntityFacts } from './entity-row.js';
import { DialogActions } from '../../ui/dialog-actions.js';

export interface MergeDone {
  readonly mergeId: string;
  readonly alias: string;
  readonly canonical: Entity;
}

interface MergeDialogProps {
  readonly entity: Entity;
  readonly onMerged: (merge: MergeDone) => void;
  readonly onClose: () => void;
}

const CANDIDATES = 8;
const TYPING_MS = 250;

interface CandidatesProps {
  readonly entity: Entity;
  readonly query: string;
  readonly chosen: Entity | undefined;
  readonly onChoose: (entity: Entity) => void;
}

const Candidates = ({ entity, query, chosen, onChoose }: CandidatesProps) => {
  const api = useApi();
  const { data, error, reload } = useLoad(`candidates:${query}`, () =>
    api.call('GET /entities', { query: { query, limit: CANDIDATES + 1 } }),
  );
  const items = data?.items.filter(({ id }) => id !== entity.id).slice(0, CANDIDATES);
  return (
    <ListState
      items={items}
      error={error}
      reload={reload}
      empty={<EmptyState title="No other entity has such a name">Try the beginning of a word of the name.</EmptyState>}
    >
      <Radio.Group
        label="The same as"
        value={chosen?.id ?? ''}
        onChange={(id) => items?.filter((one) => one.id === id).forEach(onChoose)}
      >
        <Stack gap="xs" mt={4}>
          {items?.map((one) => (
            <Radio
              key={one.id}
              value={one.id}
              label={<StoredText>{one.name}</StoredText>}
              description={<EntityFacts entity={one} />}
            />
          ))}
        </Stack>
      </Radio.Group>
    </ListState>
  );
};

/** Declares two entities to be one, after one question. Nothing is rewritten, so it can be undone. */
export const MergeDialog = ({ entity, onMerged, onClose }: MergeDialogProps) => {
  const api = useApi();
  const [query, setQuery] = useState(entity.name.split(' ')[0] ?? '');
  const [settled] = useDebouncedValue(query.trim(), TYPING_MS);
  const [other, setOther] = useState<Entity>();
  const [keeps, setKeeps] = useState<'this' | 'other'>('this');
  // By default, the name that more texts use is kept.
  const choose = (chosen: Entity): void => {
    setOther(chosen);
    setKeeps(chosen.mentions > entity.mentions ? 'other' : 'this');
  };
  const { run, isBusy, error } = useAction(async (chosen: Entity) => {
    const [alias, canonical] = keeps === 'this' ? [chosen, entity] : [entity, chosen];
    const body = { aliasId: alias.id, canonicalId: canonical.id };
    const { mergeId } = await api.call('POST /entities/merges', { body });
    onMerged({ mergeId, alias: alias.name, canonical });
  });
  return (
    <Modal opened onClose={onClose} title={`Merge ${entity.name}`} size="lg">
      <Stack>
        <TextInput
          label="Find the other name"
          value={query}
          maxLength={200}
          data-autofocus
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Candidates entity={entity} query={settled} chosen={other} onChoose={choose} />
        {other && (
          <Radio.Group
            label="The name that stays"
            value={keeps}
            onChange={(value) => setKeeps(value === 'this' ? 'this' : 'other')}
          >
            <Group mt={4}>
              <Radio value="this" label={<StoredText>{entity.name}</StoredText>} />
              <Radio value="other" label={<StoredText>{other.name}</StoredText>} />
            </Group>
          </Radio.Group>
        )}
        <Text size="sm" c="dimmed">
          For everyone who may see both names they are one entity from then on. No text changes, and you can undo it.
        </Text>
        {error && <ErrorNote error={error} />}
        <DialogActions onCancel={onClose}>
          <Button disabled={!other} loading={isBusy} onClick={() => other && run(other)}>
            Merge
          </Button>
        </DialogActions>
      </Stack>
    </Modal>
  );
};
