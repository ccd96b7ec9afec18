import { describe, expect, it } from '@jest/globals';
import { CANDIDATES_MAX, normalisedName, resolveFolder, type NamedFolder } from './engram-resolver.js';

const folder = (slug: string, name: string): NamedFolder => ({ id: `id-of-${slug}`, slug, name });
const FOLDERS = [
  folder('inbox', 'Inbox'),
  folder('book-notes', 'Book Notes'),
  folder('work', 'Work decisions'),
  folder('recipes', 'Recipes'),
  folder('uebersetzungen', 'Übersetzungen'),
];

const exactly = (asked: string): string | undefined => {
  const resolution = resolveFolder(asked, FOLDERS);
  return resolution.kind === 'exact' ? resolution.folder.slug : undefined;
};

const closeTo = (asked: string, folders: readonly NamedFolder[] = FOLDERS) => {
  const resolution = resolveFolder(asked, folders);
  return resolution.kind === 'close'
    ? resolution.candidates.map(({ folder: { name }, match }) => ({ name, match }))
    : [];
};

describe('resolveFolder', () => {
  it.each([
    ['Book Notes', 'book-notes'],
    ['book-notes', 'book-notes'],
    ['booknotes', 'book-notes'],
    ['  BOOK_NOTES! ', 'book-notes'],
    ['Work Decisions', 'work'],
    ['work', 'work'],
    ['Ubersetzungen', 'uebersetzungen'],
    ['übersetzungen', 'uebersetzungen'],
    ['INBOX', 'inbox'],
  ])('[N-27] [N-29] resolves %s to exactly one folder, by slug or by display name', (asked, slug) => {
    expect(exactly(asked)).toBe(slug);
  });

  it.each([
    ['book', 'Book Notes', 'contains your text'],
    ['My book notes collection', 'Book Notes', 'same words'],
    ['Recipes from grandma', 'Recipes', 'same words'],
    ['mybooknotes', 'Book Notes', 'close spelling'],
    ['Notes Book', 'Book Notes', 'same words'],
    ['decisions at work', 'Work decisions', 'same words'],
    ['Bok Nites', 'Book Notes', 'close spelling'],
    ['Recieps', 'Recipes', 'close spelling'],
    ['inobx', 'Inbox', 'close spelling'],
  ])('[N-30] [N-32] suggests for %s the folder %s, because: %s', (asked, name, match) => {
    expect(exactly(asked)).toBeUndefined();
    expect(closeTo(asked)[0]).toEqual({ name, match });
  });

  it.each(['Gardening', 'xyzzy', 'q', '', '!!!', '日本語', 'Finance 2026'])(
    '[N-34] finds nothing close to %p',
    (asked) => {
      expect(resolveFolder(asked, FOLDERS)).toEqual({ kind: 'none' });
    },
  );

  it('ranks the closest first and offers only a few', () => {
    const many = Array.from({ length: 20 }, (_, i) => folder(`notes-${i}`, `Notes ${'of '.repeat(i)}year ${i}`));
    const resolution = resolveFolder('notes', many);
    const scores = resolution.kind === 'close' ? resolution.candidates.map(({ score }) => score) : [];
    expect(scores).toHaveLength(CANDIDATES_MAX);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
  });

  it('[N-35] never chooses between two folders of the same name', () => {
    const twins = [folder('ab', 'A B'), folder('a-b', 'Something else'), folder('c', 'C')];
    expect(
      closeTo('a b', twins)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['A B', 'Something else']);
  });

  it('[N-29] resolves an exact slug to its folder, even if another folder has that name', () => {
    const twins = [folder('book-notes', 'Book Notes'), folder('book-notes-2', 'Book Notes')];
    expect(resolveFolder('book-notes', twins)).toMatchObject({ kind: 'exact', folder: { slug: 'book-notes' } });
    expect(closeTo('Book Notes', twins)).toHaveLength(2);
  });

  it('does not match a folder by one or two letters', () => {
    expect(resolveFolder('in', FOLDERS)).toEqual({ kind: 'none' });
  });
});

describe('normalisedName', () => {
  it('keeps letters and digits of any script and nothing else', () => {
    expect(normalisedName('Ärger & Co. № 7 — 北京')).toBe('argercono7北京');
  });
});
