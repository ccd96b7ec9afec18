import { describe, expect, it } from '@jest/globals';
import { SeededGraph } from './seeded-graph.js';
import { readWorkload } from './workloads.js';

const graph = () => new SeededGraph(readWorkload('names'), 7);

describe('a seeded graph', () => {
  it('is the same in any order of calls', () => {
    const [one, other] = [graph(), graph()];
    expect([one.statements(5), one.linksFrom(3, 10, 100)]).toEqual([
      (other.statements(9), other.statements(5)),
      other.linksFrom(3, 10, 100),
    ]);
  });

  it('names a few people often and many seldom', () => {
    const counts = new Map<string, number>();
    const seeded = graph();
    for (let i = 0; i < 20_000; i++) {
      const { person } = seeded.statements(i);
      counts.set(person, (counts.get(person) ?? 0) + 1);
    }
    expect(counts.size).toBeGreaterThan(4_000);
    expect(Math.max(...counts.values())).toBeGreaterThan(50);
  });

  it('links an item to others, never to itself', () => {
    for (let from = 0; from < 50; from++) {
      const links = graph().linksFrom(from, 10, 50);
      expect(links).toHaveLength(10);
      for (const { to, confidence } of links) {
        expect(to).not.toBe(from);
        expect([to >= 0 && to < 50, confidence >= 0.5 && confidence <= 1]).toEqual([true, true]);
      }
    }
  });
});
