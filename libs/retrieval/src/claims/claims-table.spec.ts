import { analyseSentences } from '@cairn/extraction';
import { verifyClaim, type Verdict } from '@cairn/graph';
import { describe, expect, it } from '@jest/globals';
import { CLAIM_CASES, HELD_OUT_CLAIMS, type ClaimCase } from './claim-cases.builder.js';

const verdictOn = (claim: string, texts: readonly string[]): Verdict =>
  verifyClaim(
    analyseSentences(claim)[0]!,
    texts.map((text) => ({ sentences: analyseSentences(text) })),
  ).verdict;

interface Figures {
  readonly exact: number;
  readonly precision: number;
  readonly recall: number;
  readonly wrong: readonly string[];
}

const figuresOf = (cases: readonly ClaimCase[]): Figures => {
  const results = cases.map(([claim, texts, expected]) => ({
    claim,
    texts,
    expected,
    verdict: verdictOn(claim, texts),
  }));
  const called = results.filter(({ verdict }) => verdict === 'contradicted');
  const right = called.filter(({ expected }) => expected === 'contradicted').length;
  const wrong = results.filter(({ verdict, expected }) => verdict !== expected);
  return {
    exact: (results.length - wrong.length) / results.length,
    precision: right / called.length,
    recall: right / results.filter(({ expected }) => expected === 'contradicted').length,
    wrong: wrong.map(
      ({ claim, texts, expected, verdict }) => `${claim} | ${texts.join(' | ')}: ${verdict}, not ${expected}`,
    ),
  };
};

const printed = (name: string, { exact, precision, recall, wrong }: Figures): void =>
  console.log(
    [
      `claims, ${name}: as expected ${exact.toFixed(2)}; contradicted: precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)}`,
      ...wrong,
    ].join('\n'),
  );

describe('verdicts on claims', () => {
  it('[C-57] reach the required scores on the table of at least 60 claims', () => {
    const figures = figuresOf(CLAIM_CASES);
    printed('table', figures);
    expect(CLAIM_CASES.length).toBeGreaterThanOrEqual(60);
    expect(figures.precision).toBeGreaterThanOrEqual(0.9);
    expect(figures.exact).toBeGreaterThanOrEqual(0.95);
  });

  it('[C-57] reach the required scores on claims that the rules were not made for', () => {
    const figures = figuresOf(HELD_OUT_CLAIMS);
    printed('held out', figures);
    expect(figures.precision).toBeGreaterThanOrEqual(0.9);
    expect(figures.exact).toBeGreaterThanOrEqual(0.7);
  });

  it.each(['Nora', 'Nora Lind', 'Nora Lind and Tom Reed', 'the harbour', 'The harbour project'])(
    'are inconclusive for %j, which states nothing',
    (claim) => {
      expect(verdictOn(claim, ['Nora Lind and Tom Reed lead the harbour project.'])).toBe('inconclusive');
    },
  );

  it.each(['Nora Lind leads Apollo.', 'Nora Lind resigned.', 'Kafka powers billing.', 'Nora Lind is Tom Reed.'])(
    'corroborate the short statement %j',
    (claim) => {
      expect(verdictOn(claim, [claim])).toBe('corroborated');
    },
  );

  it('[C-57] are the same each time', () => {
    for (const [claim, texts] of CLAIM_CASES) expect(verdictOn(claim, texts)).toBe(verdictOn(claim, texts));
  });
});
