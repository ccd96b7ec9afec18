import { PAIR_PATTERNS, VERB_PATTERNS } from './predicates.js';
import { verbForms, type VerbForm } from './verb-forms.js';

/** Every form of a verb that states a relation. */
export const PATTERN_FORMS: ReadonlyMap<string, VerbForm> = verbForms(
  [...VERB_PATTERNS, ...PAIR_PATTERNS].flatMap(({ verbs }) => verbs),
);
