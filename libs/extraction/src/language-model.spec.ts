import { describe, expect, it } from '@jest/globals';
import { LanguageModel } from './language-model.js';

const tagged = (model: LanguageModel, text: string): readonly string[] =>
  model.read(text, (document) => document.tokens().out());

describe('LanguageModel', () => {
  it('keeps no word of a text after reading it', () => {
    const model = new LanguageModel();
    expect(tagged(model, 'Zorblax met quuxfoo-baz near Blarghville, zqxj!')).toContain('Zorblax');
    expect(model.wordsKept).toBe(0);
  });

  it('cleans up after a text that could not be used', () => {
    const model = new LanguageModel();
    expect(() => model.read('Zorblax met quuxfoo.', () => fail())).toThrow('stop');
    expect(model.wordsKept).toBe(0);
  });

  it('reads a text as if it were the first one, even after the model was replaced', () => {
    const model = new LanguageModel(10);
    const texts = ['Zorblax met quuxfoo.', 'abc-Zorblax zorblaxes', 'Zorblax uses wvkk, qxqx, jjqq, zzqq, and ppww.'];
    const first = texts.map((text) => tagged(new LanguageModel(), text));
    for (const round of [1, 2, 3]) expect([round, texts.map((text) => tagged(model, text))]).toEqual([round, first]);
  });

  it('knows ordinary words', () => {
    const model = new LanguageModel();
    expect(['water', 'deployed', 'velora'].map((word) => model.isWord(word))).toEqual([true, true, false]);
  });
});

const fail = (): never => {
  throw new Error('stop');
};
