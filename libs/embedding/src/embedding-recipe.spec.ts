import { describe, expect, it } from '@jest/globals';
import { embeddedText, parseVectorsId, vectorsId } from './embedding-recipe.js';

const passage = { title: 'Trip to Oslo', headings: ['Plan', 'Day 2'], text: 'We take the ferry.' };
const long = 'word '.repeat(100).trim();

describe('the recipe of an embedded text', () => {
  it('1 is the text alone', () => {
    expect(embeddedText(1, passage)).toBe('We take the ferry.');
  });

  it('2 has title, headings and text', () => {
    expect(embeddedText(2, passage)).toBe('Trip to Oslo\nPlan > Day 2\nWe take the ferry.');
  });

  it.each([
    ['a missing title', { ...passage, title: undefined }, 'Plan > Day 2\nWe take the ferry.'],
    ['missing headings', { ...passage, headings: [] }, 'Trip to Oslo\nWe take the ferry.'],
    [
      'a heading that is the title',
      { ...passage, headings: ['Trip to Oslo', 'Plan'] },
      'Trip to Oslo\nPlan\nWe take the ferry.',
    ],
    ['a text that begins with its title', { title: 'Oslo', headings: [], text: '# Oslo\nWe go.' }, '# Oslo\nWe go.'],
  ])('leaves out %s', (_, given, expected) => {
    expect(embeddedText(2, given)).toBe(expected);
  });

  it('cuts a long title, and keeps the innermost headings that fit', () => {
    const [title, headings] = embeddedText(2, {
      title: long,
      headings: ['Book', long.replaceAll('word', 'part'), 'Chapter'],
      text: 'x',
    }).split('\n');
    expect(title!.length).toBeLessThanOrEqual(160);
    expect(title!.length).toBeGreaterThan(140);
    expect(headings).toBe('Chapter');
  });

  it('is part of the id of the vectors', () => {
    expect([vectorsId('bge', 1), vectorsId('bge', 2)]).toEqual(['bge', 'bge+r2']);
    expect([parseVectorsId('bge'), parseVectorsId('bge+r2'), parseVectorsId('bge+r3')]).toEqual([
      { modelId: 'bge', recipe: 1 },
      { modelId: 'bge', recipe: 2 },
      undefined,
    ]);
  });
});
