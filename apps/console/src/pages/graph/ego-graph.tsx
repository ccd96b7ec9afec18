import { Alert, Title } from '@mantine/core';
import { useState } from 'react';
import type { Walk } from '../../api/answers.js';
import { plural } from '../../ui/format.js';
import { EmptyState } from '../../ui/states.js';
import { EdgeList } from './edge-list.js';
import { GraphPicture } from './graph-picture.js';
import classes from './graph.module.css';

interface EgoGraphProps {
  readonly walk: Walk;
  readonly titles: ReadonlyMap<string, string>;
}

/** The surroundings of an entity: as a picture, and as a list of the same edges. */
export const EgoGraph = ({ walk, titles }: EgoGraphProps) => {
  const [activeEdge, setActiveEdge] = useState<string>();
  const shared = { walk, activeEdge, onActivate: setActiveEdge };
  if (walk.edges.length === 0)
    return (
      <EmptyState title="Nothing is connected to it">
        No text states an edge with it at this confidence. Choose a lower one, or look at Review.
      </EmptyState>
    );
  return (
    <>
      {walk.truncated && (
        <Alert color="yellow" title="There is more">
          Only a part of the edges is shown. Choose fewer hops or a higher confidence.
        </Alert>
      )}
      <div className={classes.view}>
        <GraphPicture {...shared} skipTo="edges" />
        <section id="edges" aria-label="List of edges" tabIndex={-1} className={classes.list}>
          <Title order={2} size="h4" mb="xs">
            {plural(walk.edges.length, 'edge')}
          </Title>
          <EdgeList {...shared} titles={titles} />
        </section>
      </div>
    </>
  );
};
