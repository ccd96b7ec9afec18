import { describe, expect, it } from '@jest/globals';
import { Slug, SLUG_CHARS_MAX } from '@cairn/contracts';
import fc from 'fast-check';
import { slugFor } from './folder-slug.js';

describe('the slug of a new folder', () => {
  it.each([
    ['Book Notes', 'book-notes'],
    ['Café & Co.', 'cafe-co'],
    ['  2026: plans  ', '2026-plans'],
    ['北京', 'folder'],
    ['!!!', 'folder'],
  ])('of %p is %s', (name, slug) => {
    expect(slugFor(name, new Set())).toBe(slug);
  });

  it('is numbered when it is taken', () => {
    expect(slugFor('Notes', new Set(['notes']))).toBe('notes-2');
    expect(slugFor('Notes', new Set(['notes', 'notes-2', 'notes-3']))).toBe('notes-4');
  });

  it('is free and within the length limit, whatever the name', () => {
    const names = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.constant('x'.repeat(200)));
    fc.assert(
      fc.property(names, fc.integer({ min: 0, max: 12 }), (name, others) => {
        const taken = new Set<string>();
        for (let i = 0; i < others; i++) taken.add(slugFor(name, taken));
        const slug = slugFor(name, taken);
        expect([Slug.safeParse(slug).success, taken.has(slug), taken.size]).toEqual([true, false, others]);
        expect(slug.length).toBeLessThanOrEqual(SLUG_CHARS_MAX);
      }),
    );
  });
});
