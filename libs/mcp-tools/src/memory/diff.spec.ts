import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { diffOf } from './diff.js';

const SENTENCES = Array.from({ length: 20 }, (_, i) => `Sentence number ${i} says a thing.`);
const changed = (...places: number[]): string[] =>
  SENTENCES.map((sentence, i) => (places.includes(i) ? sentence.replace('a thing', 'something else') : sentence));

describe('the diff of a correction', () => {
  it('[N-43] of one line is the line before and after', () => {
    expect(diffOf('The port is 8080. Ask Ada.', 'The port is 8443. Ask Ada.')).toBe(
      '- The port is 8080. Ask Ada.\n+ The port is 8443. Ask Ada.',
    );
    expect(diffOf('\nThe port is 8080.\n\n', '\nThe port is 8443.\n\n')).toBe(
      '- The port is 8080.\n+ The port is 8443.',
    );
  });

  it('[N-43] of several lines shows the changed lines and their neighbours', () => {
    const lines = ['port: 8080', 'host: a', 'user: b', 'path: /', 'mode: c'];
    const [before, after] = [lines.join('\n'), lines.join('\n').replace('user: b', 'user: x')];
    expect(diffOf(before, after)).toBe('  …\n  host: a\n- user: b\n+ user: x\n  path: /\n  …');
    expect(diffOf('a\nb\n', 'a\nc\n')).toBe('  a\n- b\n+ c');
  });

  it('of a long line shows the changed sentences, each place separately', () => {
    expect(diffOf(SENTENCES.join(' '), changed(2, 17).join(' '))).toBe(
      [
        '  …',
        '  Sentence number 1 says a thing.',
        '- Sentence number 2 says a thing.',
        '+ Sentence number 2 says something else.',
        '  Sentence number 3 says a thing.',
        '  …',
        '  Sentence number 16 says a thing.',
        '- Sentence number 17 says a thing.',
        '+ Sentence number 17 says something else.',
        '  Sentence number 18 says a thing.',
        '  …',
      ].join('\n'),
    );
  });

  it('shows a sentence that is added or removed', () => {
    const text = SENTENCES.join(' ');
    expect(diffOf(text, `${text} A new one.`)).toBe('  …\n  Sentence number 19 says a thing.\n+ A new one.');
    expect(diffOf(text, SENTENCES.toSpliced(5, 1).join(' '))).toBe(
      '  …\n  Sentence number 4 says a thing.\n- Sentence number 5 says a thing.\n  Sentence number 6 says a thing.\n  …',
    );
  });

  it('reports that no visible character changes', () => {
    expect(diffOf('One. Two.\nThree.', 'One.  Two.\nThree.')).toBe('  (only blanks change)');
  });

  it('omits no change, for any texts', () => {
    const texts = fc.array(fc.constantFrom('One. ', 'Two! ', 'Three', '\n', ' ', 'Four? '), { maxLength: 120 });
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const [before, after] = [a.join(''), b.join('')];
        const counts = (mark: string, word: string) =>
          diffOf(before, after)
            .split('\n')
            .filter((line) => line.startsWith(mark))
            .join(' ')
            .split(word).length;
        return ['One', 'Two', 'Three', 'Four'].every(
          (word) => before.split(word).length - after.split(word).length === counts('-', word) - counts('+', word),
        );
      }),
    );
  });
});
