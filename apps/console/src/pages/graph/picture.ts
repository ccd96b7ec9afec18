import type { EntityType, Walk, WalkedEdge } from '../../api/answers.js';
import { curveBetween, LABEL_HEIGHT, pointAt, trimmed, type Curve, type Obstacle } from './edge-curve.js';
import { placeLabels } from './edge-labels.js';
import { layoutGraph, type Point, type Size } from './graph-layout.js';

/** The capacity of a picture, and its size. */
export interface Frame extends Size {
  readonly nodesMax: number;
  readonly labelChars: number;
}

export const WIDE: Frame = { width: 660, height: 540, nodesMax: 30, labelChars: 20 };
/** The picture on a full page, with nothing beside it. */
export const PANORAMA: Frame = { width: 960, height: 520, nodesMax: 36, labelChars: 22 };
/** The picture on a phone: the same text size in less room. */
export const NARROW: Frame = { width: 350, height: 440, nodesMax: 14, labelChars: 14 };

export interface DrawnNode extends Obstacle {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly type: EntityType;
  readonly isStart: boolean;
}

export interface DrawnEdge {
  readonly edge: WalkedEdge;
  readonly subject: string;
  readonly object: string;
  readonly path: string;
  /** The position of its label. */
  readonly middle: Point;
  /** The label fits there, so it is always visible; other labels appear while their edge is hovered or focused. */
  readonly hasRoom: boolean;
}

export interface Picture {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  /** Entities of the answer that only the list shows. */
  readonly left: number;
}

/** The average width of a letter; the name of the start is bold. */
const [CHAR_WIDTH, BOLD_CHAR_WIDTH] = [7.1, 8.6];
const [RADIUS_MIN, RADIUS_MAX] = [13, 23];
/** How far parallel edges between two nodes are bent apart, and how far a single edge is bent. */
const [BEND, SOFT_BEND] = [34, 0.07];
/** The gap between the tip of an arrow and its node. */
const ARROW_GAP = 4;

export const words = (predicate: string): string => predicate.replaceAll('_', ' ');

const shortened = (name: string, chars: number): string => {
  const letters = [...name];
  return letters.length <= chars
    ? name
    : `${letters
        .slice(0, chars - 1)
        .join('')
        .trimEnd()}…`;
};

/** The number of statements that involve each entity. */
const weightsOf = ({ edges }: Walk): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>();
  for (const { from, to, evidenceCount } of edges)
    for (const id of new Set([from, to])) weights.set(id, (weights.get(id) ?? 0) + evidenceCount);
  return weights;
};

/** Grows with the square root, so the area is proportional; the largest entity of a picture has the largest radius. */
const radiusOf = (weight: number, most: number): number =>
  RADIUS_MIN + (RADIUS_MAX - RADIUS_MIN) * Math.sqrt(most > 0 ? weight / most : 0);

const drawnNodes = (walk: Walk, frame: Frame): readonly DrawnNode[] => {
  const weights = weightsOf(walk);
  const weightOf = (id: string): number => weights.get(id) ?? 0;
  const shown = walk.nodes
    .toSorted((a, b) => a.hop - b.hop || weightOf(b.id) - weightOf(a.id))
    .slice(0, frame.nodesMax);
  const most = Math.max(...shown.map(({ id }) => weightOf(id)), 0);
  const sized = shown.map((node) => {
    const label = shortened(node.name, frame.labelChars);
    const radius = radiusOf(weightOf(node.id), most);
    const labelWidth = [...label].length * (node.hop === 0 ? BOLD_CHAR_WIDTH : CHAR_WIDTH);
    const width = Math.max(2 * radius, labelWidth) + 16;
    return { ...node, label, labelWidth, radius, width, height: 2 * radius + LABEL_HEIGHT + 12 };
  });
  const places = layoutGraph(sized, walk.edges, frame);
  return sized.flatMap(({ id, name, type, hop, label, labelWidth, radius }) => {
    const place = places.get(id);
    // The placed box includes the label below the circle.
    return place
      ? [{ id, name, type, label, labelWidth, radius, isStart: hop === 0, x: place.x, y: place.y - LABEL_HEIGHT / 2 }]
      : [];
  });
};

const round = (value: number): number => Math.round(value * 10) / 10;

const pathOf = (curve: Curve): string => {
  const [from, control, to] = curve.map(({ x, y }) => `${round(x)} ${round(y)}`);
  return `M ${from} Q ${control} ${to}`;
};

interface Line {
  readonly edge: WalkedEdge;
  readonly from: DrawnNode;
  readonly to: DrawnNode;
  readonly curve: Curve;
}

/** All lines curve a little; further lines between the same two nodes go to either side of the first. */
const linesOf = (walk: Walk, nodes: readonly DrawnNode[]): readonly Line[] => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const between = new Map<string, number>();
  return walk.edges.flatMap((edge) => {
    const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
    if (!from || !to || from === to) return [];
    const pair = [edge.from, edge.to].toSorted().join(' ');
    const before = between.get(pair) ?? 0;
    between.set(pair, before + 1);
    const side = Math.ceil(before / 2) * (before % 2 === 0 ? -1 : 1) * BEND;
    const soft = Math.hypot(to.x - from.x, to.y - from.y) * SOFT_BEND;
    // The sign follows the direction, so two opposite edges do not meet.
    const bend = (soft + side) * (edge.from < edge.to ? 1 : -1);
    return [{ edge, from, to, curve: trimmed(curveBetween(from, to, bend), from, to, ARROW_GAP) }];
  });
};

const drawnEdges = (walk: Walk, nodes: readonly DrawnNode[], frame: Frame): readonly DrawnEdge[] => {
  const lines = linesOf(walk, nodes);
  const labels = placeLabels(
    lines.map(({ edge, from, to, curve }) => ({
      curve,
      text: words(edge.predicate),
      isWanted: from.isStart || to.isStart,
    })),
    nodes,
    frame,
  );
  return lines.map(({ edge, from, to, curve }, i) => {
    const { x, y } = labels[i] ?? pointAt(curve, 0.5);
    return {
      edge,
      subject: from.name,
      object: to.name,
      path: pathOf(curve),
      middle: { x: round(x), y: round(y) },
      hasRoom: labels[i] !== undefined,
    };
  });
};

/** The drawn part of an answer: the nearest entities with the most statements, and the edges between them. */
export const pictureOf = (walk: Walk, frame: Frame): Picture => {
  const nodes = drawnNodes(walk, frame);
  return { nodes, edges: drawnEdges(walk, nodes, frame), left: walk.nodes.length - nodes.length };
};
