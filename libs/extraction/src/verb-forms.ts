/**
 * Inflected forms of the verbs that the rules know. The tagger is not used, because it reports "reports" and "lives" as
 * nouns.
 */
const IRREGULAR: Readonly<Record<string, readonly [past: string, participle: string]>> = {
  lead: ['led', 'led'],
  leave: ['left', 'left'],
  buy: ['bought', 'bought'],
  build: ['built', 'built'],
  write: ['wrote', 'written'],
  make: ['made', 'made'],
  choose: ['chose', 'chosen'],
  meet: ['met', 'met'],
  speak: ['spoke', 'spoken'],
  take: ['took', 'taken'],
  have: ['had', 'had'],
  run: ['ran', 'run'],
  oversee: ['oversaw', 'overseen'],
  lie: ['lay', 'lain'],
  sit: ['sat', 'sat'],
  quit: ['quit', 'quit'],
};

export const VERB_FORM_KINDS = ['base', 'third', 'past', 'participle', 'gerund'] as const;
export type VerbFormKind = (typeof VERB_FORM_KINDS)[number];
export interface VerbForm {
  readonly lemma: string;
  readonly kinds: readonly VerbFormKind[];
}

const DOUBLED: ReadonlySet<string> = new Set(['run', 'chat', 'swap', 'sit', 'quit']);
const isConsonantY = (verb: string): boolean => /[^aeiou]y$/u.test(verb);

const third = (verb: string): string => {
  if (verb === 'have') return 'has';
  if (isConsonantY(verb)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|sh|ch|x|z|o)$/u.test(verb) ? `${verb}es` : `${verb}s`;
};
const doubled = (verb: string): string => (DOUBLED.has(verb) ? verb + verb.at(-1)! : verb);
const regularPast = (verb: string): string => {
  if (verb.endsWith('e')) return `${verb}d`;
  return isConsonantY(verb) ? `${verb.slice(0, -1)}ied` : `${doubled(verb)}ed`;
};
const gerund = (verb: string): string => {
  if (verb === 'lie') return 'lying';
  return verb.endsWith('e') && !verb.endsWith('ee') ? `${verb.slice(0, -1)}ing` : `${doubled(verb)}ing`;
};

const formsOf = (verb: string): readonly (readonly [form: string, kind: VerbFormKind])[] => {
  const [past, participle] = IRREGULAR[verb] ?? [regularPast(verb), regularPast(verb)];
  return [
    [verb, 'base'],
    [third(verb), 'third'],
    [past, 'past'],
    [participle, 'participle'],
    [gerund(verb), 'gerund'],
  ];
};

/** Maps each form to its verb. If two verbs share a form, the one listed first keeps it. */
export const verbForms = (verbs: Iterable<string>): ReadonlyMap<string, VerbForm> => {
  const forms = new Map<string, VerbForm>();
  for (const lemma of verbs)
    for (const [form, kind] of formsOf(lemma)) {
      const known = forms.get(form);
      if (!known) forms.set(form, { lemma, kinds: [kind] });
      else if (known.lemma === lemma) forms.set(form, { lemma, kinds: [...known.kinds, kind] });
    }
  return forms;
};
