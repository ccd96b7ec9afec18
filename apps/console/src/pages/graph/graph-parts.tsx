import type { KeyboardEvent, MouseEvent } from 'react';
import { GLYPHS } from './entity-glyphs.js';
import classes from './graph.module.css';
import { words, type DrawnEdge, type DrawnNode } from './picture.js';

interface PartProps {
  readonly isFaint: boolean;
  readonly onOpen: (path: string) => void;
}

/** A plain click stays in the console; a click that opens a new tab is left to the browser. */
const opening = (path: string, onOpen: (path: string) => void) => (event: MouseEvent) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  onOpen(path);
};

interface EdgeProps extends PartProps {
  readonly drawn: DrawnEdge;
  readonly marker: string;
  readonly isActive: boolean;
  /** True if the edge begins or ends at the entity of the page. */
  readonly isOfStart: boolean;
  readonly onActivate: (edgeId: string | undefined) => void;
}

export const Edge = ({ drawn, marker, isActive, isFaint, isOfStart, onActivate, onOpen }: EdgeProps) => {
  const { edge, subject, object, path } = drawn;
  const [evidence] = edge.evidence;
  const href = evidence ? `/sources/${evidence.itemId}` : `/graph/${edge.to}`;
  return (
    <a
      href={href}
      className={classes.edge}
      aria-label={`${subject} ${words(edge.predicate)} ${object}, ${edge.sourceKind}: open the evidence`}
      data-kind={edge.sourceKind}
      data-active={isActive}
      data-faint={isFaint}
      data-near={isOfStart}
      onClick={opening(href, onOpen)}
      onFocus={() => onActivate(edge.id)}
      onBlur={() => onActivate(undefined)}
      onMouseEnter={() => onActivate(edge.id)}
      onMouseLeave={() => onActivate(undefined)}
    >
      <path className={classes.reach} d={path} />
      <path className={classes.line} d={path} markerEnd={`url(#${isActive ? `${marker}-active` : marker})`} />
    </a>
  );
};

interface NodeProps extends PartProps {
  readonly drawn: DrawnNode;
  readonly onPoint: (nodeId: string | undefined) => void;
  readonly onKey: (event: KeyboardEvent) => void;
}

/** The drawing fills the circle except for its rim. */
const glyphPlace = ({ x, y, radius }: DrawnNode): string => {
  const scale = (radius * 1.08) / 24;
  const shift = (at: number): string => (at - 12 * scale).toFixed(1);
  return `translate(${shift(x)} ${shift(y)}) scale(${scale.toFixed(3)})`;
};

export const Node = ({ drawn, isFaint, onPoint, onKey, onOpen }: NodeProps) => {
  const { id, name, type, label, radius, x, y, isStart } = drawn;
  const href = `/graph/${id}`;
  return (
    <a
      href={href}
      id={`node-${id}`}
      className={classes.node}
      aria-label={`${name}, ${type}${isStart ? ', shown' : ''}`}
      data-type={type}
      data-start={isStart}
      data-faint={isFaint}
      onClick={opening(href, onOpen)}
      onKeyDown={onKey}
      onFocus={() => onPoint(id)}
      onBlur={() => onPoint(undefined)}
      onMouseEnter={() => onPoint(id)}
      onMouseLeave={() => onPoint(undefined)}
    >
      <title>{`${name} (${type})`}</title>
      <circle className={classes.halo} cx={x} cy={y} r={radius + (isStart ? 9 : 5)} />
      <circle className={classes.circle} cx={x} cy={y} r={radius} />
      <g className={classes.glyph} transform={glyphPlace(drawn)}>
        {GLYPHS[type]}
      </g>
      <text className={classes.label} x={x} y={y + radius + 15}>
        {label}
      </text>
    </a>
  );
};

export const Arrow = ({ id, isActive }: { readonly id: string; readonly isActive: boolean }) => (
  <marker
    id={id}
    viewBox="0 0 8 8"
    refX="7"
    refY="4"
    markerWidth="9"
    markerHeight="9"
    orient="auto"
    markerUnits="userSpaceOnUse"
  >
    <path className={classes.arrow} data-active={isActive} d="M 0 0.5 L 8 4 L 0 7.5 L 2 4 z" />
  </marker>
);
