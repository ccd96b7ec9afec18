import { Alert, Anchor, Button, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { isMissing } from '../../api/api-error.js';
import { useLoad } from '../../api/use-load.js';
import type { EntityDetail } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { ErrorNote, Loading, PageHead } from '../../ui/states.js';
import { StoredText } from '../../ui/stored-text.js';
import { EgoGraph } from './ego-graph.js';
import { EntityFacts } from './entity-row.js';
import classes from './graph.module.css';
import { MergeDialog } from './merge-dialog.js';
import { MergedNames } from './merged-names.js';
import { WalkControls } from './walk-controls.js';

const MentionedIn = ({ entity }: { readonly entity: EntityDetail }) => {
  // Several chunks of one item are shown as one line.
  const titles = new Map(entity.mentionedIn.map(({ itemId, title }) => [itemId, title]));
  return (
    <section aria-label="Mentioned in">
      <Title order={2} size="h4" mb="xs">
        Mentioned in
      </Title>
      <ul className={classes.entities}>
        {[...titles].map(([itemId, title]) => (
          <li key={itemId}>
            <Anchor component={Link} href={`/sources/${itemId}`} size="sm">
              <StoredText>{title}</StoredText>
            </Anchor>
          </li>
        ))}
      </ul>
    </section>
  );
};

/** One entity: its surroundings, the texts that mention it, and its other names. */
export const EntityPage = ({ entityId }: { readonly entityId: string }) => {
  const api = useApi();
  const [, open] = useLocation();
  const [settings, setSettings] = useState({ depth: 1, minConfidence: 0.5 });
  const [isMerging, setMerging] = useState(false);
  const detail = useLoad(entityId, () => api.call('GET /entities/{id}', { id: entityId }));
  const walk = useLoad(JSON.stringify([entityId, settings]), () =>
    api.call('GET /graph', { query: { entity: entityId, ...settings } }),
  );
  const reload = (): void => {
    detail.reload();
    walk.reload();
  };
  const { data: entity, error } = detail;
  const titles = new Map((entity?.mentionedIn ?? []).map(({ itemId, title }) => [itemId, title]));
  return (
    <Stack gap="md">
      <Anchor component={Link} href="/graph" size="sm">
        ← All entities
      </Anchor>
      {error && isMissing(error) && (
        <PageHead
          title="Entity not found"
          note="No text that you may see names it: its texts were forgotten or changed, or the address is wrong."
        />
      )}
      {error && !isMissing(error) && <ErrorNote error={error} onRetry={reload} />}
      {!entity && !error && <Loading />}
      {entity && (
        <>
          <div>
            <PageHead title={entity.name}>
              <Button variant="default" onClick={() => setMerging(true)}>
                Merge with …
              </Button>
            </PageHead>
            <EntityFacts entity={entity} />
          </div>
          <MergedNames entity={entity} onSplit={reload} />
          <WalkControls value={settings} onChange={setSettings} />
          {walk.data?.stale && (
            <Alert color="yellow" title="The graph has not caught up">
              What was stored last is not in it yet. Reload in a moment.
            </Alert>
          )}
          {walk.error && <ErrorNote error={walk.error} onRetry={walk.reload} />}
          {!walk.data && !walk.error && <Loading />}
          {walk.data && <EgoGraph walk={walk.data} titles={titles} />}
          <MentionedIn entity={entity} />
        </>
      )}
      {isMerging && entity && (
        <MergeDialog
          entity={entity}
          onClose={() => setMerging(false)}
          onMerged={({ canonical }) => {
            setMerging(false);
            if (canonical.id === entity.id) reload();
            else open(`/graph/${canonical.id}`);
          }}
        />
      )}
    </Stack>
  );
};
