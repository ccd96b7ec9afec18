import { describe, expect, it } from '@jest/globals';
import type { Walk } from '../../api/answers.js';
import { NARROW, pictureOf, WIDE, words } from './picture.js';

const node = (id: string, hop: number, name = id): Walk['nodes'][number] => ({ id, name, type: 'person', hop });

const edge = (id: string, from: string, to: string, evidenceCount = 1): Walk['edges'][number] => ({
  id,
  from,
  to,
  predicate: 'works_at',
  confidence: 0.8,
  sourceKind: 'extracted',
  reviewed: null,
  hop: 1,
  evidence: [],
  evidenceCount,
});

const walkOf = (nodes: Walk['nodes'], edges: Walk['edges']): Walk => ({
  entity: nodes[0] ?? null,
  nodes,
  edges,
  truncated: false,
  stale: false,
});

describe('the picture of a walk', () => {
  it('draws an entity larger the more statements involve it', () => {
    const walk = walkOf(
      [node('start', 0), node('often', 1), node('once', 1)],
      [edge('a', 'start', 'often', 9), edge('b', 'start', 'once')],
    );
    const radius = Object.fromEntries(pictureOf(walk, WIDE).nodes.map((drawn) => [drawn.id, drawn.radius]));
    expect(radius['start']).toBeGreaterThan(radius['often']!);
    expect(radius['often']).toBeGreaterThan(radius['once']!);
  });

  it('keeps the nearest entities, reports how many are left out, and draws no edge to those', () => {
    const others = Array.from({ length: 30 }, (_, i) => node(`n${i}`, i < 10 ? 1 : 2));
    const walk = walkOf(
      [...others, node('start', 0)],
      others.map(({ id }) => edge(`e-${id}`, 'start', id)),
    );
    const { nodes, edges, left } = pictureOf(walk, NARROW);
    expect(nodes).toHaveLength(NARROW.nodesMax);
    expect(nodes[0]).toMatchObject({ id: 'start', isStart: true });
    expect(nodes.slice(1, 11).map(({ id }) => id)).toEqual(others.slice(0, 10).map(({ id }) => id));
    expect(left).toBe(31 - NARROW.nodesMax);
    expect(edges).toHaveLength(NARROW.nodesMax - 1);
  });

  it('bends edges between the same two entities differently, whichever way they point', () => {
    const walk = walkOf(
      [node('start', 0), node('other', 1)],
      [edge('a', 'start', 'other'), edge('b', 'start', 'other'), edge('c', 'other', 'start')],
    );
    const middles = pictureOf(walk, WIDE).edges.map(({ middle }) => `${middle.x} ${middle.y}`);
    expect(new Set(middles).size).toBe(3);
  });

  it('shortens long names by whole characters', () => {
    const [drawn] = pictureOf(walkOf([node('start', 0, '🗿'.repeat(40))], []), NARROW).nodes;
    expect(drawn?.label).toBe(`${'🗿'.repeat(NARROW.labelChars - 1)}…`);
    expect(drawn?.name).toBe('🗿'.repeat(40));
  });

  it('draws no edge from an entity to itself', () => {
    expect(pictureOf(walkOf([node('start', 0)], [edge('a', 'start', 'start')]), WIDE).edges).toEqual([]);
  });
});

describe('a predicate in words', () => {
  it('has spaces instead of underscores', () => {
    expect(words('works_at_the')).toBe('works at the');
  });
});
