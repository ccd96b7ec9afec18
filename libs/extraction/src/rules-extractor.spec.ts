import { describe, expect, it } from '@jest/globals';
import { findingsExtractorContract } from './findings-extractor.contract.js';
import { extractFindings } from './extract-findings.js';
import { readLabelledTexts } from './labelled-texts.builder.js';
import { RulesExtractor } from './rules-extractor.js';

findingsExtractorContract('RulesExtractor', () => new RulesExtractor());

describe('findings', () => {
  const namesIn = (text: string) => extractFindings({ title: null, tags: [], text }).mentions.map(({ name }) => name);

  it('do not depend on texts read before', () => {
    const chunks = readLabelledTexts('development').map(({ title, text }) => ({ title, tags: [], text }));
    const forwards = chunks.map(extractFindings);
    expect(chunks.toReversed().map(extractFindings).toReversed()).toEqual(forwards);
  });

  it('have names on one line, even if a line break separates them', () => {
    const text = `${'The whole team was there on that day, and late in the afternoon Alice'}\nChen opened the new office.`;
    expect(namesIn(text)).toEqual(['Alice Chen']);
  });

  it('keep 64 mentions, of as many names as possible', () => {
    const people = Array.from({ length: 100 }, (_, n) => `Person Nr${String.fromCharCode(97 + (n % 26))}${n}`);
    const { mentions, edges } = extractFindings({
      title: null,
      tags: [],
      text: `Alice Chen. Alice Chen. ${people.join('. ')}.`,
    });
    expect(mentions).toHaveLength(64);
    expect(new Set(mentions.map(({ name }) => name)).size).toBe(64);
    expect(edges.length).toBeLessThanOrEqual(64);
  });

  it('do not cover code', () => {
    expect(namesIn('```ts\nconst Alice = new Velora();\n```\nBen Hartley wrote it.')).toEqual(['Ben Hartley']);
  });
});
