import { describe, expect, it } from '@jest/globals';
import { analyseSentences } from './analyse-sentences.js';

const only = (text: string) => {
  const sentences = analyseSentences(text);
  expect(sentences).toHaveLength(1);
  return sentences[0]!;
};
const negated = (text: string) =>
  only(text)
    .tokens.filter(({ isNegated }) => isNegated)
    .map(({ lemma }) => lemma);

describe('analyseSentences', () => {
  it('splits a text into sentences, with offsets in the text', () => {
    const text = 'The launch was on Monday.\n\n- Alice Chen lives in Oslo';
    const sentences = analyseSentences(text);
    expect(sentences.map(({ start, text: own }) => [start, own])).toEqual([
      [0, 'The launch was on Monday.'],
      [29, 'Alice Chen lives in Oslo'],
    ]);
    for (const { tokens } of sentences)
      for (const { start, end, text: own } of tokens) expect(text.slice(start, end)).toBe(own);
  });

  it('gives lemmas and parts of speech, also for verbs that look like nouns', () => {
    const { tokens } = only('Alice Chen lives in Oslo.');
    expect(tokens.map(({ lemma, pos }) => `${lemma}/${pos}`)).toEqual([
      'alice/PROPN',
      'chen/PROPN',
      'live/VERB',
      'in/ADP',
      'oslo/PROPN',
      './PUNCT',
    ]);
  });

  it('finds names, by key, and stated relations', () => {
    const { names, edges } = only('Dr. Alice Chen works at Meridian Labs.');
    expect(names).toEqual([
      { name: 'Alice Chen', key: 'alice chen', from: 1, to: 3 },
      { name: 'Meridian Labs', key: 'meridian labs', from: 5, to: 7 },
    ]);
    expect(edges).toEqual([
      { subjectKey: 'alice chen', predicate: 'works_at', objectKey: 'meridian labs', negated: false, isCertain: true },
    ]);
  });

  it.each([
    ['The service was not disabled.', ['disabled']],
    ['Velora never used Jenkins.', ['use', 'jenkins']],
    ['The backup no longer runs at night.', ['run', 'at', 'night']],
    ['The backup runs at night.', []],
  ])('marks the words within the scope of a negation: %s', (text, words) => {
    expect(negated(text)).toEqual(words);
  });

  it.each([
    ['The limit is 1,200 users.', [{ text: '1,200', value: 1200, unit: 'user' }]],
    ['It costs $40 a month.', [{ text: '40', value: 40, unit: '$' }]],
    [
      'Prices rose by 4 % in 2025.',
      [
        { text: '4', value: 4, unit: '%' },
        { text: '2025', value: 2025, unit: null },
      ],
    ],
    ['We hired twelve new engineers.', [{ text: 'twelve', value: 12, unit: 'engineer' }]],
    ['They raised four million euros.', [{ text: 'four million', value: 4_000_000, unit: 'euro' }]],
    [
      'Version 2.4.1 starts at 10:15.',
      [
        { text: '2.4.1', value: null },
        { text: '10:15', value: null },
      ],
    ],
  ])('reads numbers with their units: %s', (text, numbers) => {
    expect(only(text).numbers).toMatchObject(numbers);
  });

  it.each([
    ['The launch might slip.', true, false],
    ['I think the launch is in June.', true, false],
    ['If it rains, the launch is off.', true, false],
    ['"The launch is off," the blog claimed.', true, false],
    ['Is the launch in June?', false, true],
    ['The launch is in May.', false, false],
    ['The launch will be in June.', false, false],
  ])('recognises hedged sentences and questions: %s', (text, isHedged, isQuestion) => {
    expect(only(text)).toMatchObject({ isHedged, isQuestion });
  });
});
