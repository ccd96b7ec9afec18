import { describe, expect, it } from '@jest/globals';
import { chunkText } from './chunker.js';
import { headingPaths } from './heading-paths.js';

const pathsOf = (...texts: string[]): readonly (readonly string[])[] => headingPaths(texts).paths;

describe('heading paths', () => {
  it('give each text the headings above its beginning, outermost first', () => {
    const texts = [
      '# Guide\n\nIntro.\n\n## Install\n\nRun it.\n',
      'More of it.\n',
      '### Linux\n\nUse apt.\n',
      'Or dnf.',
    ];
    expect(pathsOf(...texts)).toEqual([[], ['Guide', 'Install'], ['Guide', 'Install'], ['Guide', 'Install', 'Linux']]);
  });

  it('close a heading at the next one of its level or above', () => {
    expect(pathsOf('# A\n\n## B\n\n### C\n\nx\n', '## D\n\ny\n', 'z\n', '# E\n\ne\n', 'f')).toEqual([
      [],
      ['A'],
      ['A', 'D'],
      [],
      ['E'],
    ]);
  });

  it.each([
    ['closing marks', '## Setup ##\n\ntext\n', ['Setup']],
    ['an underlined title', 'Setup\n=====\n\ntext\n', ['Setup']],
    ['an underlined title of two lines', 'Set\nup\n---\n\ntext\n', ['Set up']],
    ['marks without words', '#\n\ntext\n', []],
    ['a comment in a code block', '```sh\n# not a heading\n```\n\ntext\n', []],
    ['properties at the beginning', '---\ntitle: x\n---\n\ntext\n', []],
    ['text without headings', 'just text\n', []],
  ])('read %s', (_, first, expected) => {
    expect(pathsOf(first, 'below')[1]).toEqual(expected);
  });

  it('keep a code block that is cut in two free of headings', () => {
    expect(pathsOf('# A\n\n```sh\necho 1\n', '# not a heading\necho 2\n```\n', 'below')).toEqual([[], ['A'], ['A']]);
  });

  it('continue the path of the parts before', () => {
    const first = headingPaths(['# A\n\n## B\n\nx\n']);
    expect(headingPaths(['y\n', '## C\n\nz\n', 'w'], first.open).paths).toEqual([['A', 'B'], ['A'], ['A', 'C']]);
  });

  it('are the same for a document as a whole and in parts', () => {
    const section = (n: number): string => `## Part ${n}\n\n${'Some words of this part. '.repeat(150)}\n\n`;
    const texts = chunkText(`# Book\n\n${[1, 2, 3, 4, 5].map(section).join('')}`).map(({ text }) => text);
    const [first, second] = [texts.slice(0, 4), texts.slice(4)];
    const before = headingPaths(first);
    expect([...before.paths, ...headingPaths(second, before.open).paths]).toEqual(pathsOf(...texts));
    expect(
      new Set(
        pathsOf(...texts)
          .slice(1)
          .map(([book]) => book),
      ),
    ).toEqual(new Set(['Book']));
  });
});
