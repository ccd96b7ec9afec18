import { type EntityType } from '@cairn/contracts';
import { type NameUnit } from './names.js';

/** A relation as one sentence words it, before short forms are resolved and types are known. */
export interface Statement {
  readonly subject: NameUnit;
  readonly predicate: string;
  readonly object: NameUnit;
  readonly confidence: number;
  readonly isHedged: boolean;
  readonly isNegated: boolean;
  /** What the ends of this predicate usually are. */
  readonly subjectType?: EntityType | undefined;
  readonly objectType?: EntityType | undefined;
}

export const CONFIDENCE = {
  verb: 0.7,
  /** A word beside a name may be the real end of the relation. */
  loose: 0.55,
  role: 0.7,
  form: 0.6,
  keyLine: 0.8,
  coOccurrence: 0.3,
} as const;

export const HEDGE_FACTOR = 0.5;
export const SHORT_FORM_FACTOR = 0.9;
