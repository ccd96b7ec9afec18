import { Button, Group, Text } from '@mantine/core';
import { useAction, useLoad } from '../../api/use-load.js';
import type { EntityDetail } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { ErrorNote } from '../../ui/states.js';
import { StoredText } from '../../ui/stored-text.js';
import { mergesOf } from './merges-of.js';

const OPS = 100;

/** The merges into this entity that people have made, from the log, each with its undo. */
export const MergedNames = ({ entity, onSplit }: { readonly entity: EntityDetail; readonly onSplit: () => void }) => {
  const api = useApi();
  const names = [entity.name, ...entity.aliases];
  const { data, reload } = useLoad(`merges:${names.join()}`, async () => {
    const list = (type: 'entity.merged' | 'entity.split') => api.call('GET /ops', { query: { type, limit: OPS } });
    const [merged, split] = await Promise.all([list('entity.merged'), list('entity.split')]);
    return mergesOf(names, merged.items, split.items);
  });
  const { run, isBusy, error } = useAction(async (id: string) => {
    await api.call('DELETE /entities/merges/{id}', { id });
    reload();
    onSplit();
  });
  if (entity.aliases.length === 0 || !data || data.length === 0) return null;
  return (
    <section aria-label="Merged names">
      {data.map(({ id, alias, canonical }) => (
        <Group key={id} gap="xs">
          <Text size="sm">
            <StoredText>{alias}</StoredText> was merged into <StoredText>{canonical}</StoredText>.
          </Text>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Undo the merge of ${alias} and ${canonical}`}
            loading={isBusy}
            onClick={() => run(id)}
          >
            Undo
          </Button>
        </Group>
      ))}
      {error && <ErrorNote error={error} />}
    </section>
  );
};
