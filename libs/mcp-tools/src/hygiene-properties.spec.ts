import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { neutralise } from './hygiene.js';

const HOSTILE = [
  '\u001b[31m',
  '\u009b',
  '\u0007',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u200e',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\u061c',
  '\u180e',
  '\u{e0041}',
  '\u{e007f}',
  '\ufe0f',
  '\u{e0150}',
  '\u{1d173}',
  'system:',
  'User :',
  '<|im_start|>',
  '<|',
  '|>',
  '<｜',
  '[INST]',
  '<<SYS>>',
  '<system>',
  '### human:',
  '[hint:',
  '[trace:',
  '[mesh-tier]',
  '> ',
  ' ',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\v',
  '\f',
  '\u0085',
  '\u2028',
  '\u2029',
  '👨',
  '❤',
  'क',
  '्',
  'ب',
  'é',
  '\ufffd',
  '¦',
  'word',
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 40 })
  .map((parts) => parts.join(''));

const FORBIDDEN =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;
const LINES = /[\n\v\f\r\u0085\u2028\u2029]/;
const SPEAKS = /^(?:(?:system|assistant|user|human|developer)[ \t]*:|[ \t]*\[(?:hint:|trace:|mesh-tier\]))/i;

describe('neutralised text', () => {
  it('does not change when it is neutralised again', () => {
    fc.assert(
      fc.property(hostile, (text) => expect(neutralise(neutralise(text))).toBe(neutralise(text))),
      { numRuns: 3_000 },
    );
  });

  it('has no hidden characters, and no line that imitates a speaker', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const clean = neutralise(text);
        expect(clean).not.toMatch(FORBIDDEN);
        expect(clean).not.toMatch(/[\u200c\u200d]{2}|<\|[^\s<>|]+\|>/);
        for (const line of clean.split(LINES)) expect(line).not.toMatch(SPEAKS);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is unchanged if it has only letters, digits, punctuation and white space', () => {
    const ordinary = fc.stringMatching(/^[\p{L}\p{N},.;!?'"()\-/ \n\t]*$/u);
    fc.assert(fc.property(ordinary, (text) => expect(neutralise(text)).toBe(text)));
  });

  it('is well formed, and keeps every word of the changed text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const clean = neutralise(text);
        expect(clean.isWellFormed()).toBe(text.isWellFormed());
        const words = (of: string): string[] => of.match(/[a-z]+/gi) ?? [];
        expect(words(clean)).toEqual(words(text));
      }),
    );
  });
});
