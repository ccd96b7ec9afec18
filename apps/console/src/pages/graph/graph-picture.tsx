import { useMediaQuery } from '@mantine/hooks';
import { useId, useMemo, useState, type KeyboardEvent } from 'react';
import { useLocation } from 'wouter';
import type { Walk } from '../../api/answers.js';
import { plural } from '../../ui/format.js';
import { Arrow, Edge, Node } from './graph-parts.js';
import classes from './graph.module.css';
import { Legend } from './legend.js';
import { nodeTowards } from './node-towards.js';
import { NARROW, PANORAMA, pictureOf, WIDE, words, type DrawnEdge } from './picture.js';

interface GraphPictureProps {
  readonly walk: Walk;
  /** The edge that is hovered or focused, here or in the list. */
  readonly activeEdge: string | undefined;
  readonly onActivate: (edgeId: string | undefined) => void;
  /** The id of the element after the picture, as a target for skipping it with the keyboard. */
  readonly skipTo: string;
  /** True if the picture has the whole width of the page. */
  readonly isWide?: boolean;
}

/** The entities around one entity, drawn once per answer. The list beside it has the same content. */
export const GraphPicture = ({ walk, activeEdge, onActivate, skipTo, isWide = false }: GraphPictureProps) => {
  const [, open] = useLocation();
  const isNarrow = useMediaQuery('(max-width: 48rem)', undefined, { getInitialValueInEffect: false });
  const frame = isNarrow ? NARROW : isWide ? PANORAMA : WIDE;
  const { nodes, edges, left } = useMemo(() => pictureOf(walk, frame), [walk, frame]);
  const [pointed, setPointed] = useState<string>();
  const marker = useId();
  const start = nodes.find(({ isStart }) => isStart)?.id;
  const touches = ({ edge }: DrawnEdge, id: string | undefined): boolean =>
    id !== undefined && [edge.from, edge.to].includes(id);
  const isNear = (drawn: DrawnEdge): boolean => pointed === undefined || touches(drawn, pointed);
  const isActive = (drawn: DrawnEdge): boolean => drawn.edge.id === activeEdge || touches(drawn, pointed);
  const near = new Set(edges.filter(isNear).flatMap(({ edge }) => [edge.from, edge.to]));
  const moveFrom = (id: string) => (event: KeyboardEvent) => {
    const next = nodeTowards(nodes, id, event.key);
    if (!next) return;
    event.preventDefault();
    document.getElementById(`node-${next.id}`)?.focus();
  };
  return (
    <figure aria-label="Picture of the graph" className={classes.figure}>
      <a href={`#${skipTo}`} className={classes.skip}>
        Skip the picture
      </a>
      <svg
        className={classes.picture}
        viewBox={`0 0 ${frame.width} ${frame.height}`}
        role="group"
        aria-label={`${plural(nodes.length, 'entity', 'entities')} and ${plural(edges.length, 'edge')}`}
      >
        <defs>
          <Arrow id={marker} isActive={false} />
          <Arrow id={`${marker}-active`} isActive />
        </defs>
        {edges.map((drawn) => (
          <Edge
            key={drawn.edge.id}
            drawn={drawn}
            marker={marker}
            isActive={isActive(drawn)}
            isFaint={!isNear(drawn)}
            isOfStart={touches(drawn, start)}
            onActivate={onActivate}
            onOpen={open}
          />
        ))}
        {nodes.map((drawn) => (
          <Node
            key={drawn.id}
            drawn={drawn}
            isFaint={pointed !== undefined && drawn.id !== pointed && !near.has(drawn.id)}
            onPoint={setPointed}
            onKey={moveFrom(drawn.id)}
            onOpen={open}
          />
        ))}
        {edges.map((drawn) => (
          <text
            key={drawn.edge.id}
            className={classes.edgeLabel}
            x={drawn.middle.x}
            y={drawn.middle.y + 4}
            data-active={isActive(drawn)}
            data-room={drawn.hasRoom}
            data-faint={!isNear(drawn)}
            aria-hidden
          >
            {words(drawn.edge.predicate)}
          </text>
        ))}
      </svg>
      <figcaption>
        <Legend types={new Set(nodes.map(({ type }) => type))} />
        {left > 0 && `${plural(left, 'further entity', 'further entities')} in the list only.`}
      </figcaption>
    </figure>
  );
};
