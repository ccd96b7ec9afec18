import { describe, expect, it } from '@jest/globals';
import { layoutGraph, type LayoutEdge, type LayoutNode } from './graph-layout.js';

const SIZE = { width: 720, height: 480 };
const BOX = { width: 90, height: 40 };

const node = (id: string, hop: number): LayoutNode => ({ id, hop, ...BOX });

/** A start node with `around` neighbours, each with `further` neighbours of its own. */
const graphOf = (around: number, further: number): { nodes: LayoutNode[]; edges: LayoutEdge[] } => {
  const nodes = [node('start', 0)];
  const edges: LayoutEdge[] = [];
  for (let i = 0; i < around; i++) {
    nodes.push(node(`n${i}`, 1));
    edges.push({ from: 'start', to: `n${i}` });
    for (let k = 0; k < further; k++) {
      nodes.push(node(`n${i}.${k}`, 2));
      edges.push({ from: `n${i}.${k}`, to: `n${i}` });
    }
  }
  return { nodes, edges };
};

describe('the layout of a graph', () => {
  it('puts the start in the middle and every node within the picture', () => {
    const { nodes, edges } = graphOf(7, 3);
    const places = layoutGraph(nodes, edges, SIZE);
    expect(places.get('start')).toEqual({ x: 360, y: 240 });
    expect(places.size).toBe(nodes.length);
    for (const { x, y } of places.values()) {
      expect(x).toBeGreaterThanOrEqual(BOX.width / 2);
      expect(x).toBeLessThanOrEqual(SIZE.width - BOX.width / 2);
      expect(y).toBeGreaterThanOrEqual(BOX.height / 2);
      expect(y).toBeLessThanOrEqual(SIZE.height - BOX.height / 2);
    }
  });

  it('lets no label cover another while there is room', () => {
    const { nodes, edges } = graphOf(6, 3);
    const places = [...layoutGraph(nodes, edges, SIZE).values()];
    const covered = places.flatMap((a, i) =>
      places.slice(i + 1).filter((b) => Math.abs(a.x - b.x) < BOX.width - 2 && Math.abs(a.y - b.y) < BOX.height - 2),
    );
    expect(covered).toEqual([]);
  });

  it('gives the same places for the same graph', () => {
    const { nodes, edges } = graphOf(9, 2);
    expect([...layoutGraph(nodes, edges, SIZE)]).toEqual([...layoutGraph(nodes, edges, SIZE)]);
  });

  it('keeps a node two hops from the start closer to its own neighbour than to the others', () => {
    const { nodes, edges } = graphOf(4, 1);
    const places = layoutGraph(nodes, edges, SIZE);
    const distance = (a: string, b: string): number =>
      Math.hypot(places.get(a)!.x - places.get(b)!.x, places.get(a)!.y - places.get(b)!.y);
    for (const i of [0, 1, 2, 3])
      for (const other of [0, 1, 2, 3].filter((k) => k !== i))
        expect(distance(`n${i}.0`, `n${i}`)).toBeLessThan(distance(`n${i}.0`, `n${other}`));
  });

  it('places nodes that are not connected to the start around it as well', () => {
    const places = layoutGraph([node('start', 0), node('alone', 2)], [], SIZE);
    expect(places.get('alone')).not.toEqual(places.get('start'));
  });

  it('is empty without a start', () => {
    expect(layoutGraph([], [], SIZE).size).toBe(0);
  });
});
