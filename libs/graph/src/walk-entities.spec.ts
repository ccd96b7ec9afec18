import { describe, expect, it } from '@jest/globals';
import { entityClasses, type NameMerge } from './merge-classes.js';
import { walkEntities, type EdgeSource, type HopEdge } from './walk-entities.js';

const edge = (subjectKey: string, predicate: string, objectKey: string, confidence = 0.9): HopEdge<string> => ({
  subjectKey,
  predicate,
  objectKey,
  confidence,
  evidence: [`${subjectKey} ${predicate} ${objectKey}`],
  evidenceCount: 1,
});

const sourceOf = (edges: readonly HopEdge<string>[], merges: readonly NameMerge[] = []): EdgeSource<string> => ({
  classesOf: (keys) => Promise.resolve(entityClasses(keys, merges)),
  hop: (entities) => {
    const keys = new Set(entities.flatMap((entity) => entity.keys));
    const at = edges.filter(({ subjectKey, objectKey }) => keys.has(subjectKey) || keys.has(objectKey));
    return Promise.resolve({ edges: at, dropped: { confidence: 1, sourceKind: 0 }, isCut: false });
  },
});

const LIMITS = { depth: 2, nodesMax: 10, edgesMax: 10, evidenceMax: 3 };
const start = (key: string, merges: readonly NameMerge[] = []) => entityClasses([key], merges).get(key)!;

const CHAIN = [edge('a', 'knows', 'b'), edge('c', 'knows', 'b'), edge('c', 'knows', 'd')];

describe('a walk', () => {
  it.each([
    [1, ['a', 'b']],
    [2, ['a', 'b', 'c']],
    [3, ['a', 'b', 'c', 'd']],
  ])('with depth %i follows edges in both directions that far', async (depth, keys) => {
    const walk = await walkEntities(start('a'), sourceOf(CHAIN), { ...LIMITS, depth });
    expect(walk.nodes.map(({ entity, hop }) => [entity.key, hop])).toEqual(keys.map((key, i) => [key, i]));
    expect(walk.edges).toHaveLength(depth);
    expect(walk.truncated).toBe(false);
  });

  it('shows an edge once, at the hop that found it', async () => {
    const circle = [...CHAIN, edge('b', 'likes', 'a')];
    const walk = await walkEntities(start('a'), sourceOf(circle), LIMITS);
    expect(walk.edges.map(({ predicate, hop }) => [predicate, hop])).toEqual([
      ['knows', 1],
      ['likes', 1],
      ['knows', 2],
    ]);
  });

  it('sums the edges that the filters left out over all hops', async () => {
    expect((await walkEntities(start('a'), sourceOf(CHAIN), LIMITS)).dropped).toEqual({ confidence: 2, sourceKind: 0 });
  });

  it('is truncated when a cap is reached, and has no edge to an omitted node', async () => {
    const star = Array.from({ length: 20 }, (_, i) => edge('a', 'knows', `n${String(i).padStart(2, '0')}`));
    const byNodes = await walkEntities(start('a'), sourceOf(star), { ...LIMITS, nodesMax: 4 });
    expect([byNodes.nodes.length, byNodes.edges.length, byNodes.truncated]).toEqual([4, 3, true]);
    const byEdges = await walkEntities(start('a'), sourceOf(star), { ...LIMITS, nodesMax: 50, edgesMax: 5 });
    expect([byEdges.nodes.length, byEdges.edges.length, byEdges.truncated]).toEqual([6, 5, true]);
  });

  it('treats merged names as one entity, and combines their edges', async () => {
    const merges = [{ aliasKey: 'al', canonicalKey: 'a', position: 5 }];
    const edges = [edge('al', 'knows', 'b', 0.6), edge('a', 'knows', 'b', 0.9), edge('al', 'same_as', 'a')];
    const walk = await walkEntities(start('al', merges), sourceOf(edges, merges), LIMITS);
    expect(walk.nodes.map(({ entity }) => entity.key)).toEqual(['a', 'b']);
    expect(walk.edges).toEqual([
      expect.objectContaining({
        from: 'a',
        to: 'b',
        confidence: 0.9,
        evidenceCount: 2,
        evidence: ['al knows b', 'a knows b'],
      }),
    ]);
  });
});

describe('classes of names', () => {
  it('are connected components, regardless of the order of the merges', () => {
    const merges = [
      { aliasKey: 'a', canonicalKey: 'b', position: 1 },
      { aliasKey: 'c', canonicalKey: 'b', position: 3 },
      { aliasKey: 'b', canonicalKey: 'a', position: 2 },
    ];
    for (const order of [merges, merges.toReversed()]) {
      const classes = entityClasses(['c'], order);
      expect(classes.get('c')).toEqual({ key: 'b', keys: ['b', 'a', 'c'] });
      expect(classes.get('a')).toBe(classes.get('c'));
    }
  });
});
