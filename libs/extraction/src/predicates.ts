import { type EntityType } from '@cairn/contracts';
import { SAME_AS } from '@cairn/graph';

/**
 * The relations that the rules can read, as data: which words state which predicate, and in which direction. The
 * passive ("X is led by Y") is derived from an entry without prepositions and has no entries of its own.
 */
export interface VerbPattern {
  /** Lemmas of the verb. */
  readonly verbs: readonly string[];
  /** Prepositions that must follow the verb; without them its object follows directly. */
  readonly prepositions?: readonly string[];
  readonly predicate: string;
  /** "X employs Y" states that Y works at X. */
  readonly isInverse?: boolean;
  /** Other words may precede the preposition: "works as an engineer at Y". */
  readonly hasGap?: boolean;
  /** A participle after "is": "X is based in Y". */
  readonly isState?: boolean;
  /** Something that happens at one moment: "is joining" announces it. */
  readonly isEvent?: boolean;
  /** The usual types of the predicate's subject and object; a weak hint. */
  readonly subject?: EntityType;
  readonly object?: EntityType;
  /** Whether the hint is only slightly better than none. */
  readonly isWeakHint?: boolean;
}

const person = 'person';
const organization = 'organization';

export const VERB_PATTERNS: readonly VerbPattern[] = [
  {
    verbs: ['work'],
    prepositions: ['at', 'for'],
    hasGap: true,
    predicate: 'works_at',
    subject: person,
    object: organization,
  },
  { verbs: ['work'], prepositions: ['on'], predicate: 'works_on', subject: person, object: 'project' },
  { verbs: ['work', 'collaborate'], prepositions: ['with'], predicate: 'works_with', subject: person },
  { verbs: ['employ'], predicate: 'works_at', isInverse: true, subject: person, object: organization },
  {
    verbs: ['employ'],
    prepositions: ['at'],
    isState: true,
    predicate: 'works_at',
    subject: person,
    object: organization,
  },
  { verbs: ['hire', 'recruit'], predicate: 'hired', isEvent: true, object: person },
  { verbs: ['report'], prepositions: ['to'], predicate: 'reports_to', subject: person, object: person },
  { verbs: ['manage', 'oversee', 'supervise'], predicate: 'manages', subject: person },
  { verbs: ['lead', 'head', 'run', 'direct', 'chair'], predicate: 'leads', subject: person },
  {
    verbs: ['found', 'cofound', 'co-found', 'establish'],
    predicate: 'founded',
    isEvent: true,
    subject: person,
    object: organization,
  },
  { verbs: ['acquire', 'buy', 'purchase'], predicate: 'acquired', isEvent: true, subject: organization },
  {
    verbs: ['merge'],
    prepositions: ['with', 'into'],
    predicate: 'merged_with',
    subject: organization,
    object: organization,
  },
  { verbs: ['join'], predicate: 'joined', isEvent: true, subject: person, object: organization },
  { verbs: ['leave', 'quit'], predicate: 'left', isEvent: true, subject: person, object: organization },
  {
    verbs: ['resign', 'retire', 'depart'],
    prepositions: ['from'],
    predicate: 'left',
    subject: person,
    object: organization,
  },
  {
    verbs: ['live', 'reside'],
    prepositions: ['in', 'near'],
    predicate: 'located_in',
    subject: person,
    object: 'concept',
  },
  {
    verbs: ['base', 'locate', 'headquarter', 'situate', 'host'],
    prepositions: ['in', 'at', 'near'],
    isState: true,
    predicate: 'located_in',
    object: 'concept',
  },
  { verbs: ['lie', 'sit', 'operate'], prepositions: ['in'], predicate: 'located_in', object: 'concept' },
  { verbs: ['take'], prepositions: ['place in'], predicate: 'located_in', subject: 'event', object: 'concept' },
  {
    verbs: ['have'],
    prepositions: ['its headquarters in', 'its office in', 'offices in'],
    predicate: 'located_in',
    object: 'concept',
  },
  { verbs: ['move', 'relocate'], prepositions: ['to'], predicate: 'moved_to', isEvent: true, object: 'concept' },
  { verbs: ['belong'], prepositions: ['to'], predicate: 'part_of' },
  { verbs: ['use', 'adopt', 'deploy'], predicate: 'uses', subject: organization, object: 'tool', isWeakHint: true },
  { verbs: ['run'], prepositions: ['on'], predicate: 'uses', object: 'tool' },
  { verbs: ['switch', 'migrate', 'move', 'upgrade'], prepositions: ['to'], predicate: 'uses', object: 'tool' },
  {
    verbs: ['depend', 'rely', 'build'],
    prepositions: ['on', 'upon'],
    predicate: 'depends_on',
    subject: 'project',
    object: 'tool',
    isWeakHint: true,
  },
  { verbs: ['require', 'need'], predicate: 'depends_on', object: 'tool', isWeakHint: true },
  { verbs: ['choose', 'pick', 'select'], predicate: 'chose', isEvent: true, object: 'tool', isWeakHint: true },
  { verbs: ['opt', 'settle', 'decide'], prepositions: ['for', 'on'], predicate: 'chose', isEvent: true },
  { verbs: ['reject', 'decline', 'refuse'], predicate: 'rejected', isEvent: true },
  { verbs: ['turn', 'rule'], prepositions: ['down', 'out'], predicate: 'rejected', isEvent: true },
  { verbs: ['replace', 'supersede', 'succeed'], predicate: 'replaced_by', isInverse: true },
  { verbs: ['own'], predicate: 'owns' },
  {
    verbs: [
      'create',
      'build',
      'write',
      'design',
      'develop',
      'invent',
      'author',
      'release',
      'launch',
      'publish',
      'make',
    ],
    predicate: 'created',
    object: 'tool',
    isWeakHint: true,
  },
  { verbs: ['maintain'], predicate: 'maintains', object: 'tool', isWeakHint: true },
  { verbs: ['meet', 'visit'], predicate: 'met_with', subject: person },
  { verbs: ['meet', 'speak', 'talk', 'chat'], prepositions: ['with', 'to'], predicate: 'met_with', subject: person },
  { verbs: ['invest'], prepositions: ['in'], hasGap: true, predicate: 'invested_in', object: organization },
  { verbs: ['fund', 'finance', 'back', 'sponsor'], predicate: 'invested_in' },
  { verbs: ['partner', 'team'], prepositions: ['with', 'up with'], predicate: 'partners_with' },
  { verbs: ['compete'], prepositions: ['with', 'against'], predicate: 'competes_with' },
  { verbs: ['integrate'], prepositions: ['with'], predicate: 'integrates_with' },
  { verbs: ['contribute'], prepositions: ['to'], predicate: 'contributes_to' },
  { verbs: ['approve'], predicate: 'approved', subject: person },
  { verbs: ['review'], predicate: 'reviewed', subject: person },
  { verbs: ['mentor', 'coach'], predicate: 'mentors', subject: person, object: person },
  { verbs: ['advise'], predicate: 'advises', subject: person },
  { verbs: ['marry'], predicate: 'married_to', subject: person, object: person },
  { verbs: ['marry'], prepositions: ['to'], isState: true, predicate: 'married_to', subject: person, object: person },
  {
    verbs: ['study'],
    prepositions: ['at'],
    hasGap: true,
    predicate: 'studied_at',
    subject: person,
    object: organization,
  },
  { verbs: ['graduate'], prepositions: ['from'], predicate: 'studied_at', subject: person, object: organization },
  { verbs: ['attend'], predicate: 'attended', subject: person, object: 'event' },
  { verbs: ['organize', 'organise'], predicate: 'organized', object: 'event' },
  { verbs: ['block'], predicate: 'blocks' },
];

/** Verbs with two objects, "replace A with B": the relation is between those two. */
export interface PairPattern {
  readonly verbs: readonly string[];
  /** The word before the first name; empty if there is none. */
  readonly first: string;
  readonly second: string;
  readonly predicate: string;
  /** The relation of the subject to the second name. */
  readonly subjectPredicate?: string;
}

export const PAIR_PATTERNS: readonly PairPattern[] = [
  { verbs: ['replace', 'swap'], first: '', second: 'with', predicate: 'replaced_by' },
  { verbs: ['replace', 'swap'], first: '', second: 'by', predicate: 'replaced_by' },
  {
    verbs: ['switch', 'migrate', 'change'],
    first: 'from',
    second: 'to',
    predicate: 'replaced_by',
    subjectPredicate: 'uses',
  },
];

/** The relation that a role states: "X, head of Y", "X is the founder of Y", "Y CEO X". */
export interface RolePattern {
  readonly roles: readonly string[];
  /** Words allowed between the role and the other name; `'s` stands for the possessive before the role. */
  readonly links: readonly string[];
  readonly predicate: string;
  /** Whether the holder of the role is the object. */
  readonly isInverse?: boolean;
  /** Whether the field of the role may follow it: "head of design at Y". */
  readonly hasField?: boolean;
  readonly holder?: EntityType;
  readonly other?: EntityType;
}

export const ROLE_PATTERNS: readonly RolePattern[] = [
  {
    roles: [
      'head',
      'ceo',
      'director',
      'president',
      'chair',
      'chairman',
      'chairwoman',
      'lead',
      'leader',
      'chief',
      'captain',
    ],
    links: ['of', 'for', "'s"],
    predicate: 'leads',
    holder: person,
  },
  {
    roles: ['founder', 'cofounder', 'co-founder'],
    links: ['of', "'s"],
    predicate: 'founded',
    holder: person,
    other: organization,
  },
  { roles: ['owner'], links: ['of', "'s"], predicate: 'owns' },
  {
    roles: ['author', 'creator', 'inventor', 'designer', 'architect'],
    links: ['of'],
    predicate: 'created',
    holder: person,
  },
  { roles: ['maintainer'], links: ['of', "'s"], predicate: 'maintains', holder: person },
  {
    roles: ['manager', 'boss', 'supervisor'],
    links: ["'s"],
    predicate: 'reports_to',
    isInverse: true,
    holder: person,
    other: person,
  },
  { roles: ['manager', 'boss', 'supervisor'], links: ['of'], predicate: 'manages', holder: person },
  { roles: ['wife', 'husband', 'spouse'], links: ['of', "'s"], predicate: 'married_to', holder: person, other: person },
  {
    roles: ['colleague', 'teammate', 'coworker', 'co-worker'],
    links: ['of', "'s"],
    predicate: 'works_with',
    holder: person,
    other: person,
  },
  {
    roles: ['subsidiary', 'part', 'division', 'member', 'unit', 'branch', 'component', 'department'],
    links: ['of', "'s"],
    predicate: 'part_of',
  },
  {
    roles: ['customer', 'client', 'supplier', 'vendor'],
    links: ['of', "'s"],
    predicate: 'does_business_with',
    other: organization,
  },
  { roles: ['successor'], links: ['of', 'to', "'s"], predicate: 'replaced_by', isInverse: true },
  { roles: ['fork', 'derivative'], links: ['of'], predicate: 'derived_from' },
];

/** A role at an organization, regardless of its kind: "a designer at Velora", "the CTO of Northgate". */
export const EMPLOYEE_ROLES: readonly string[] = [
  ...[
    'contact',
    'cto',
    'cfo',
    'coo',
    'cmo',
    'ciso',
    'vp',
    'secretary',
    'treasurer',
    'spokesperson',
    'spokesman',
    'spokeswoman',
  ],
  ...[
    'engineer',
    'designer',
    'developer',
    'programmer',
    'researcher',
    'scientist',
    'analyst',
    'consultant',
    'architect',
  ],
  ...['manager', 'professor', 'lecturer', 'teacher', 'student', 'intern', 'nurse', 'doctor', 'lawyer', 'accountant'],
  ...['partner', 'employee', 'contractor', 'administrator', 'assistant', 'associate', 'fellow', 'editor', 'writer'],
  ...['recruiter', 'representative', 'technician', 'specialist', 'officer', 'coordinator', 'executive', 'strategist'],
];
export const EMPLOYEE_LINKS: readonly string[] = ['at', 'with', 'for', 'from', 'of', "'s"];

/** `Key: value` lines; the subject is the heading above them, or the title. */
export interface KeyPattern {
  readonly keys: readonly string[];
  readonly predicate: string;
  /** Whether the value is the subject: "Owner: Alice" under "Apollo" states that Alice owns Apollo. */
  readonly isInverse?: boolean;
  readonly subject?: EntityType;
  readonly object?: EntityType;
}

export const KEY_PATTERNS: readonly KeyPattern[] = [
  { keys: ['owner', 'owners', 'owned by', 'product owner'], predicate: 'owns', isInverse: true },
  {
    keys: ['lead', 'leads', 'led by', 'head', 'project lead', 'tech lead', 'team lead', 'ceo'],
    predicate: 'leads',
    isInverse: true,
    subject: person,
  },
  {
    keys: ['author', 'authors', 'written by', 'created by', 'creator'],
    predicate: 'created',
    isInverse: true,
    subject: person,
  },
  { keys: ['maintainer', 'maintainers', 'maintained by'], predicate: 'maintains', isInverse: true },
  { keys: ['founder', 'founders', 'founded by'], predicate: 'founded', isInverse: true, subject: person },
  {
    keys: ['employer', 'company', 'works at', 'organization', 'organisation'],
    predicate: 'works_at',
    object: organization,
  },
  { keys: ['manager', 'reports to', 'boss', 'supervisor'], predicate: 'reports_to', object: person },
  {
    keys: ['team', 'department', 'part of', 'parent', 'division', 'group', 'program', 'programme'],
    predicate: 'part_of',
  },
  {
    keys: ['location', 'city', 'country', 'office', 'based in', 'lives in', 'headquarters', 'venue'],
    predicate: 'located_in',
    object: 'concept',
  },
  { keys: ['depends on', 'dependencies', 'dependency', 'requires'], predicate: 'depends_on' },
  { keys: ['uses', 'stack', 'tech stack', 'tools', 'tool', 'built with'], predicate: 'uses', object: 'tool' },
  { keys: ['replaces', 'supersedes', 'successor of'], predicate: 'replaced_by', isInverse: true },
  { keys: ['replaced by', 'superseded by', 'successor'], predicate: 'replaced_by' },
  { keys: ['members', 'member', 'contributors'], predicate: 'part_of', isInverse: true },
  { keys: ['client', 'customer', 'vendor', 'supplier'], predicate: 'does_business_with', object: organization },
  { keys: ['sponsor', 'sponsors', 'investor', 'investors', 'funded by'], predicate: 'invested_in', isInverse: true },
  { keys: ['spouse', 'married to', 'wife', 'husband'], predicate: 'married_to', object: person },
  { keys: ['also known as', 'aka', 'alias', 'aliases'], predicate: SAME_AS },
];

/** Two names in one sentence without a stated relation. */
export const CO_OCCURRENCE = 'related_to';
