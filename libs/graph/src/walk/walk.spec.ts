import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { linkGraph, type WalkLink } from './link-graph.js';
import { pageRank } from './page-rank.js';
import { walk, type WalkMode } from './walk.js';

const link = (from: string, to: string, confidence = 1, type = 'related'): WalkLink => ({ from, to, confidence, type });

const graphs = (nodes: number) =>
  fc
    .array(
      fc.record({
        from: fc.nat({ max: nodes - 1 }),
        to: fc.nat({ max: nodes - 1 }),
        confidence: fc.integer({ min: 0, max: 100 }),
        type: fc.constantFrom('supports', 'related', 'causes'),
      }),
      { maxLength: 60 },
    )
    .map((links) =>
      links
        .filter(({ from, to }) => from !== to)
        .map(({ from, to, ...more }) => ({
          ...more,
          from: `n${from}`,
          to: `n${to}`,
          confidence: more.confidence / 100,
        })),
    );

/** The definition, over a dense matrix and to the last digit: x = 0.85·(Pᵀx + dangling·s) + 0.15·s. */
const dense = (links: readonly WalkLink[], anchors: readonly string[]): Map<string, number> => {
  const ids = [...new Set([...anchors, ...links.flatMap(({ from, to }) => [from, to])])];
  const at = (id: string) => ids.indexOf(id);
  const w = ids.map(() => ids.map(() => 0));
  for (const { from, to, confidence } of links) {
    w[at(from)]![at(to)]! += confidence;
    w[at(to)]![at(from)]! += confidence;
  }
  const s = ids.map((id) => (anchors.includes(id) ? 1 / new Set(anchors).size : 0));
  const out = w.map((row) => row.reduce((sum, weight) => sum + weight, 0));
  let x = [...s];
  for (let i = 0; i < 1_000; i++) {
    const dangling = x.reduce((sum, mass, n) => sum + (out[n]! > 1e-9 ? 0 : mass), 0);
    const given = (n: number) =>
      x.reduce((sum, mass, m) => sum + (out[m]! > 1e-9 ? (mass * w[m]![n]!) / out[m]! : 0), 0);
    x = ids.map((_, n) => 0.85 * (given(n) + dangling * s[n]!) + 0.15 * s[n]!);
  }
  return new Map(ids.map((id, n) => [id, x[n]!]));
};

/** Fewest hops and the best product over paths of that length, level by level over all links. */
const denseHops = (links: readonly WalkLink[], from: string): Map<string, { hop: number; product: number }> => {
  let reached = new Map([[from, { hop: 0, product: 1 }]]);
  for (let hop = 1; hop <= 20; hop++) {
    const next = new Map(reached);
    for (const [id, at] of reached) {
      if (at.hop !== hop - 1) continue;
      for (const { from: a, to: b, confidence } of links) {
        const other = a === id ? b : b === id ? a : undefined;
        if (other === undefined || reached.has(other)) continue;
        next.set(other, { hop, product: Math.max(next.get(other)?.product ?? 0, at.product * confidence) });
      }
    }
    reached = next;
  }
  return reached;
};

const shuffled = <T>(list: readonly T[], seed: number): T[] =>
  list
    .map((value, i) => ({ value, key: Math.sin(seed + i * 7.13) }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);

const reversed = ({ from, to, ...more }: WalkLink): WalkLink => ({ ...more, from: to, to: from });

describe('personalised PageRank', () => {
  it('[C-44] equals a dense reference on 200 random graphs', () => {
    fc.assert(
      fc.property(graphs(12), fc.uniqueArray(fc.nat({ max: 11 }), { minLength: 1, maxLength: 3 }), (links, picked) => {
        const anchors = picked.map((n) => `n${n}`);
        const graph = linkGraph(links, anchors);
        const { scores, converged } = pageRank(graph, anchors);
        expect(converged).toBe(true);
        const wanted = dense(links, anchors);
        for (const [n, id] of graph.ids.entries()) expect(Math.abs(scores[n]! - wanted.get(id)!)).toBeLessThan(1e-5);
        expect(scores.reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 9);
      }),
      { numRuns: 200 },
    );
  });

  it('[C-48] returns the memories with the highest scores, the anchor among them', () => {
    const links = [link('a', 'b'), link('a', 'c', 0.5), link('b', 'd'), link('x', 'y')];
    const { memories, trace } = walk(links, { mode: 'pagerank', anchors: ['a'], limit: 3 });
    expect(memories.map(({ id }) => id)).toEqual(['a', 'b', 'd']);
    expect(memories[0]!.score).toBeGreaterThan(memories[1]!.score);
    expect(memories.map(({ hop }) => hop)).toEqual([0, 1, 2]);
    expect(memories[2]!.via).toEqual([{ from: 'b', type: 'related', confidence: 1 }]);
    expect(trace).toMatchObject({ mode: 'pagerank', converged: true, links: 4 });
  });

  it('[C-51] stops at its deadline and reports it, with the scores so far', () => {
    const { memories, trace } = walk([link('a', 'b')], {
      mode: 'pagerank',
      anchors: ['a'],
      limit: 5,
      isLate: () => true,
    });
    expect(trace).toEqual({ mode: 'pagerank', iter: 1, converged: false, timed_out: true, nodes: 2, links: 1 });
    expect(memories).toHaveLength(2);
  });

  it('[C-52] falls back to hops when links were left out, and reports it', () => {
    const links = [link('a', 'b', 0.5), link('a', 'c'), link('c', 'd')];
    const { memories, trace } = walk(links, { mode: 'pagerank', anchors: ['a'], limit: 5, isCut: true });
    expect(memories.map(({ id, hop, score }) => [id, hop, score])).toEqual([
      ['a', 0, 1],
      ['c', 1, 1],
      ['b', 1, 0.5],
      ['d', 2, 1],
    ]);
    expect(trace).toEqual({ mode: 'pagerank', iter: 0, converged: false, fallback: 'bfs', nodes: 4, links: 3 });
  });
});

describe('a walk', () => {
  it.each(['pagerank', 'neighbours', 'shortest_path'] as WalkMode[])(
    'by %s does not depend on the order of links or on their direction',
    (mode) => {
      fc.assert(
        fc.property(graphs(10), fc.nat(), (links, seed) => {
          const request = { mode, anchors: ['n0', 'n1'], limit: 20 };
          const ranked = ({ memories }: ReturnType<typeof walk>) =>
            memories.map(({ id, score, hop }) => [id, score, hop]);
          const wanted = walk(links, request);
          expect(walk(shuffled(links, seed), request)).toEqual(wanted);
          expect(ranked(walk(links.map(reversed), request))).toEqual(ranked(wanted));
        }),
        { numRuns: 200 },
      );
    },
  );

  it('[C-49] over neighbours has the hops and products of a dense reference on 200 random graphs', () => {
    fc.assert(
      fc.property(graphs(10), (links) => {
        const { memories } = walk(links, { mode: 'neighbours', anchors: ['n0'], limit: 50 });
        const wanted = denseHops(links, 'n0');
        expect(new Map(memories.map(({ id, hop, score }) => [id, { hop, product: score }]))).toEqual(wanted);
        const keys = memories.map(({ id, hop, score }) => [hop, -score, id] as const);
        expect(keys).toEqual([...keys].sort((a, b) => a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : 1)));
      }),
      { numRuns: 200 },
    );
  });

  it('[C-49] over the shortest path is as short and as good as a dense reference, link by link', () => {
    fc.assert(
      fc.property(graphs(10), (links) => {
        const { memories } = walk(links, { mode: 'shortest_path', anchors: ['n0', 'n1'], limit: 50 });
        const wanted = denseHops(links, 'n0').get('n1');
        if (!wanted) return expect(memories).toEqual([]);
        expect([memories.length - 1, memories.at(-1)!.score]).toEqual([wanted.hop, wanted.product]);
        for (const [i, { id, via }] of memories.entries())
          if (i > 0) expect([id, via[0]!.from]).toEqual([id, memories[i - 1]!.id]);
      }),
      { numRuns: 200 },
    );
  });

  it('ends with the anchor if nothing is linked to it', () => {
    const { memories, trace } = walk([], { mode: 'pagerank', anchors: ['a'], limit: 5 });
    expect(memories).toMatchObject([{ id: 'a', score: 1, hop: 0, via: [] }]);
    expect(trace).toMatchObject({ converged: true, nodes: 1, links: 0 });
  });
});
