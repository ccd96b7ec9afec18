import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { Walk, WalkedEdge } from '../../api/answers.js';
import { plural } from '../../ui/format.js';
import { StoredText } from '../../ui/stored-text.js';
import classes from './graph.module.css';
import { words } from './picture.js';

interface EdgeListProps {
  readonly walk: Walk;
  /** The known titles of items. */
  readonly titles: ReadonlyMap<string, string>;
  readonly activeEdge: string | undefined;
  readonly onActivate: (edgeId: string | undefined) => void;
}

const percent = (confidence: number): string => `${Math.round(confidence * 100)} %`;

const Evidence = ({ edge, titles }: { readonly edge: WalkedEdge; readonly titles: EdgeListProps['titles'] }) => (
  <>
    {edge.evidence.map(({ itemId, chunkId }, i) => (
      <Anchor key={chunkId} component={Link} href={`/sources/${itemId}`} inherit>
        <StoredText>{titles.get(itemId) ?? `Evidence ${i + 1}`}</StoredText>
      </Anchor>
    ))}
    {edge.evidenceCount > edge.evidence.length && `of ${plural(edge.evidenceCount, 'chunk')}`}
  </>
);

/** All edges in words, including those that did not fit into the picture: for the keyboard and for phones. */
export const EdgeList = ({ walk, titles, activeEdge, onActivate }: EdgeListProps) => {
  const names = new Map(walk.nodes.map(({ id, name }) => [id, name]));
  const entity = (id: string) => (
    <Anchor component={Link} href={`/graph/${id}`} inherit fw={600}>
      <StoredText>{names.get(id) ?? 'unnamed'}</StoredText>
    </Anchor>
  );
  return (
    <ul className={classes.edges} aria-label="Edges">
      {walk.edges.map((edge) => (
        <li
          key={edge.id}
          data-active={edge.id === activeEdge}
          onMouseEnter={() => onActivate(edge.id)}
          onMouseLeave={() => onActivate(undefined)}
          onFocus={() => onActivate(edge.id)}
          onBlur={() => onActivate(undefined)}
        >
          {entity(edge.from)} <span className={classes.predicate}>{words(edge.predicate)}</span> {entity(edge.to)}
          <div className={classes.facts}>
            <span>
              {edge.reviewed === 'confirmed' ? 'confirmed' : edge.sourceKind} · {percent(edge.confidence)}
            </span>
            <Evidence edge={edge} titles={titles} />
          </div>
        </li>
      ))}
    </ul>
  );
};
