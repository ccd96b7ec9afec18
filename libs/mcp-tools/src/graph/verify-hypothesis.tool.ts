import {
  CLAIM_CHARS_MAX,
  CLAIM_LIMIT_DEFAULT,
  CLAIM_LIMIT_MAX,
  ClaimReason,
  ClaimVerdict,
  text,
  type QueryAnswer,
} from '@cairn/contracts';
import { z } from 'zod';
import { countArgument } from '../count-argument.js';
import { oneLine } from '../hit-list.js';
import { artifactLinks, artifactUri } from './artifact.js';
import { defineGraphTool, READS_GRAPH } from './graph-tool.js';
import { verifyHypothesisHints } from './hints/verify-hypothesis.hints.js';

const input = z.strictObject({
  claim: text(1, CLAIM_CHARS_MAX).describe('One statement in plain words, such as "The deploy takes 20 minutes."'),
  limit: countArgument(CLAIM_LIMIT_MAX, CLAIM_LIMIT_DEFAULT, 'How many chunks are read to weigh the claim.'),
});

const Evidence = z.strictObject({
  artifact: z.string(),
  memory_id: z.string(),
  chunk_id: z.string(),
  sentence: z.string().describe('The sentence that decided.'),
  score: z.number().describe('The share of the claim that the sentence speaks of.'),
  reasons: z.array(ClaimReason).describe('The rules that decided.'),
  position: z.int(),
});

const output = z.strictObject({
  verdict: ClaimVerdict,
  corroborated_by: z.array(Evidence),
  contradicted_by: z.array(Evidence),
  considered: z.int().describe('How many chunks speak of what the claim speaks of.'),
});

type Found = QueryAnswer<'claims.verify'>['corroboratedBy'][number];

const shown = ({ itemId, chunkId, sentence, score, reasons, position }: Found): z.output<typeof Evidence> => ({
  artifact: artifactUri(itemId),
  memory_id: itemId,
  chunk_id: chunkId,
  sentence,
  score,
  reasons: [...reasons],
  position,
});

const lines = (heading: string, found: readonly Found[]): string[] =>
  found.length === 0
    ? []
    : [
        `${heading}:`,
        ...found.map(
          ({ score, title, sentence, reasons }, i) =>
            `${i + 1}. (${score.toFixed(2)}) ${oneLine(title)} — "${oneLine(sentence)}" [${reasons.join(', ')}]`,
        ),
      ];

export const verifyHypothesis = defineGraphTool({
  name: 'carabase_verify_hypothesis',
  title: 'Verify a hypothesis',
  description:
    'Weigh what is stored for and against a claim. Deterministic rules compare sentences: negation, opposites, numbers ' +
    'and dates, swapped roles, another object. They see what is stated outright; a paraphrase without shared words is ' +
    'inconclusive. The verdict is about what is stored, not about the world.',
  when: 'to check one statement against what is stored, before relying on it.',
  input,
  output,
  ...READS_GRAPH,
  hints: verifyHypothesisHints,
  handle: async ({ claim, limit }, { cairn }) => {
    const answer = await cairn.query('claims.verify', { claim, limit });
    const { verdict, corroboratedBy, contradictedBy, considered, candidates } = answer;
    const all = [...corroboratedBy, ...contradictedBy];
    return {
      text: [
        `Verdict: ${verdict} (${considered} considered).`,
        ...lines('Corroborated by', corroboratedBy),
        ...lines('Contradicted by', contradictedBy),
      ].join('\n'),
      links: artifactLinks(all.map(({ itemId, title }) => ({ artifact: artifactUri(itemId), title }))),
      structured: {
        verdict,
        corroborated_by: corroboratedBy.map(shown),
        contradicted_by: contradictedBy.map(shown),
        considered,
      },
      trace: { candidates, considered, relevant: all.length, neutral: considered - all.length },
    };
  },
});
