import { z } from 'zod';
import { placed, type Wire } from './answer.js';
import { CLAIM_CHARS_MAX, CLAIM_LIMIT_MAX, QUERY_CHARS_MAX } from './limits.js';
import { defineQuery } from './query-definition.js';
import { IsoTime, text } from './text.js';

export const ClaimVerdict = z.enum(['corroborated', 'contradicted', 'mixed', 'inconclusive']);
export const ClaimReason = z.enum(['coverage', 'polarity', 'antonym', 'number', 'roles', 'object']);

export const ClaimEvidence = z.object({
  ...placed,
  itemId: z.string(),
  chunkId: z.string(),
  title: z.string(),
  /** The sentence of the chunk that decided the verdict. */
  sentence: z.string(),
  /** The share of the claim that the sentence covers, 0 to 1. */
  score: z.number(),
  /** The rules that decided the verdict. */
  reasons: z.array(ClaimReason),
  position: z.int(),
});
export type ClaimEvidence = Wire<typeof ClaimEvidence>;

const ClaimAnswer = z.object({
  verdict: ClaimVerdict,
  corroboratedBy: z.array(ClaimEvidence),
  contradictedBy: z.array(ClaimEvidence),
  /** Chunks about the subject of the claim. */
  considered: z.int(),
  /** Chunks that were read. */
  candidates: z.int(),
  degraded: z.boolean(),
  stale: z.boolean(),
});
export type ClaimAnswer = Wire<typeof ClaimAnswer>;

export const VerifyClaim = defineQuery(
  'claims.verify',
  z.strictObject({ claim: text(1, CLAIM_CHARS_MAX), limit: z.int().min(1).max(CLAIM_LIMIT_MAX) }),
  ClaimAnswer,
);

const RoutePlan = z.object({
  strategy: z.enum(['semantic', 'graph', 'metadata']),
  /** A stable name of the rule that chose the strategy. */
  rule: z.string(),
  reason: z.string(),
  /** Arguments of the tool that the strategy names. */
  arguments: z.record(z.string(), z.unknown()),
});
export type RoutePlan = Wire<typeof RoutePlan>;

/** The time of the question is an argument, so that the same question has the same plan. */
export const PlanRoute = defineQuery(
  'route.plan',
  z.strictObject({ query: text(1, QUERY_CHARS_MAX), now: IsoTime }),
  RoutePlan,
);
