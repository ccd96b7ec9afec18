import { describe, expect, it } from '@jest/globals';
import type { NewEdge } from '@cairn/contracts';
import { admin, id, scoped } from './given.builder.js';
import { originOf, stateEdges } from './stated-edges.js';

const TEXT = 'Alice Chen works at Meridian Labs. She met Dr. Bob Stone.';
const chunk = { chunkId: id(7), text: TEXT };
const edge = (more: Partial<NewEdge> = {}): NewEdge => ({
  subject: 'Alice Chen',
  predicate: 'works_at',
  object: 'Meridian Labs',
  ...more,
});

describe('the origin of a statement', () => {
  it('is a person with an admin token over REST, and an agent otherwise', () => {
    expect([originOf(admin, 'rest'), originOf(admin, 'mcp'), originOf(scoped(id(2)), 'rest')]).toEqual([
      'human',
      'agent',
      'agent',
    ]);
  });
});

describe('stated edges', () => {
  it('of a person are certain and extracted by default', () => {
    const [stated] = stateEdges([edge()], [chunk], 'human');
    expect(stated!.findings.edges).toEqual([{ ...edge(), confidence: 1, sourceKind: 'extracted', negated: false }]);
  });

  it('of an agent are inferred with 0.8 by default', () => {
    const [stated] = stateEdges([edge()], [chunk], 'agent');
    expect(stated!.findings.edges).toEqual([{ ...edge(), confidence: 0.8, sourceKind: 'inferred', negated: false }]);
  });

  it('have a mention for each name, with its place and the given type', () => {
    const [stated] = stateEdges([edge({ subjectType: 'person' })], [chunk], 'agent');
    expect(stated!.findings.mentions).toEqual([
      { name: 'Alice Chen', type: 'person', typeConfidence: 0.9, confidence: 0.8, start: 0, end: 10 },
      { name: 'Meridian Labs', type: 'concept', typeConfidence: 0.1, confidence: 0.8, start: 20, end: 33 },
    ]);
  });

  it('find a name regardless of its case and title', () => {
    const met = edge({ subject: 'ALICE  chen', predicate: 'met_with', object: 'Prof. Bob Stone' });
    expect(() => stateEdges([met], [chunk], 'agent')).not.toThrow();
  });

  it('are anchored in the chunk that contains both names', () => {
    const other = { chunkId: id(8), text: 'Bob Stone leads Apollo.' };
    const stated = stateEdges(
      [edge(), edge({ subject: 'Bob Stone', predicate: 'leads', object: 'Apollo' })],
      [chunk, other],
      'agent',
    );
    expect(stated.map(({ chunkId, edges }) => [chunkId, edges])).toEqual([
      [id(7), [0]],
      [id(8), [1]],
    ]);
  });

  it.each([
    ['an agent', 'agent'],
    ['a person', 'human'],
  ] as const)(
    'of %s are anchored in the chunk of the subject where the text is parted between the names',
    (_, origin) => {
      const texts = ['Minutes.', 'Meridian Labs pays well.', 'Alice Chen works there.'].map((text, n) => ({
        chunkId: id(n),
        text,
      }));
      const [stated] = stateEdges([edge()], texts, origin);
      expect(stated!.chunkId).toBe(id(2));
      expect(stated!.findings.mentions).toMatchObject([
        { name: 'Alice Chen', start: 0 },
        { name: 'Meridian Labs', start: null },
      ]);
    },
  );

  it.each([
    ['subject', edge({ subject: 'Carol Reed' })],
    ['object', edge({ object: 'Meridian' + 'x' })],
  ])('of an agent are refused when the %s is not in the evidence', (end, stated) => {
    expect(() => stateEdges([stated], [chunk], 'agent')).toThrow(
      expect.objectContaining({ code: 'edge.name_not_in_evidence', details: { field: `edges[0].${end}` } }),
    );
  });

  it('of a person need not be in the evidence: they are anchored in the first chunk', () => {
    const [stated] = stateEdges([edge({ subject: 'Carol Reed' })], [chunk], 'human');
    expect(stated!.findings.mentions[0]).toMatchObject({ name: 'Carol Reed', start: null, end: null });
  });

  it('of an agent above 0.95 are refused, and of a person are not', () => {
    const certain = edge({ confidence: 0.96 });
    expect(() => stateEdges([certain], [chunk], 'agent')).toThrow(
      expect.objectContaining({ code: 'input.invalid', details: { field: 'edges[0].confidence', limit: 0.95 } }),
    );
    expect(() => stateEdges([certain], [chunk], 'human')).not.toThrow();
  });

  it('are refused when a name is not a name', () => {
    expect(() => stateEdges([edge({ object: '?!' })], [chunk], 'human')).toThrow(
      expect.objectContaining({ code: 'input.invalid', details: { field: 'edges[0].object', limit: 6 } }),
    );
  });
});
