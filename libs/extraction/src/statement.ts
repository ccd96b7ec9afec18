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
  /** The usual types of this predicate's ends. */
  readonly subjectType?: EntityType | undefined;
  readonly objectType?: EntityType | undefined;
  /** Whether the ends often have other types. */
  readonly isWeakHint?: boolean;
}

export const CONFIDENCE = {
  verb: 0.7,
  /** An adjacent word may be the real end of the relation. */
  loose: 0.55,
  role: 0.7,
  form: 0.6,
  keyLine: 0.8,
  coOccurrence: 0.3,
} as const;

export const HEDGE_FACTOR = 0.5;
export const SHORT_FORM_FACTOR = 0.9;
