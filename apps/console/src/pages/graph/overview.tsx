import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useLoad } from '../../api/use-load.js';
import type { Entity } from '../../api/answers.js';
import { useApi } from '../../session/session.js';
import { Loading } from '../../ui/states.js';
import { StoredText } from '../../ui/stored-text.js';
import { GraphPicture } from './graph-picture.js';
import { widelyNamed } from './widely-named.js';

/** A first look at the graph: the surroundings of a widely mentioned entity. Renders nothing while no edge is known. */
export const Overview = ({ entities }: { readonly entities: readonly Entity[] }) => {
  const api = useApi();
  const [activeEdge, setActiveEdge] = useState<string>();
  const start = widelyNamed(entities);
  const { data: walk, error } = useLoad(start?.id ?? '', async () =>
    start ? api.call('GET /graph', { query: { entity: start.id, depth: 2, minConfidence: 0.5 } }) : undefined,
  );
  if (!start || error || walk?.edges.length === 0) return null;
  if (!walk) return <Loading />;
  return (
    <section aria-label="Overview">
      <Text size="sm" c="dimmed" mb="xs">
        Around{' '}
        <Anchor component={Link} href={`/graph/${start.id}`} inherit fw={600}>
          <StoredText>{start.name}</StoredText>
        </Anchor>
        , within two edges. Open an entity to see its texts.
      </Text>
      <GraphPicture walk={walk} activeEdge={activeEdge} onActivate={setActiveEdge} skipTo="entities" isWide />
    </section>
  );
};
