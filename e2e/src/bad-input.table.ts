/**
 * What a tool or a route takes, field by field, as `bad-input.e2e.spec.ts` spoils it. A new tool or route is a row here:
 * the spec then tries every way of being wrong on each of its fields, and that nothing of it leaves a trace.
 */
export interface Fields {
  /** Arguments that are accepted as they are. */
  readonly valid: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  /** The most characters of a text. */
  readonly long: Readonly<Record<string, number>>;
  /** Numbers and the bounds they have; all are integers but those in `fractions`. */
  readonly range?: Readonly<Record<string, readonly [number, number]>>;
  readonly fractions?: readonly string[];
  /** Lists: the most entries, and an entry that is accepted. */
  readonly lists?: Readonly<Record<string, readonly [number, unknown]>>;
  /** Further values that a field must not have. */
  readonly wrong: Readonly<Record<string, readonly unknown[]>>;
  /** Texts without rules of their own: they take hostile text for what it is. */
  readonly free?: readonly string[];
}

export interface Route extends Fields {
  readonly method: string;
  readonly path: string;
}

const LONE = '\ud800';
export const ID = '00000000-0000-7000-8000-000000000000';

/** What no field may be, whatever its meaning; a required text is none of them. */
export const SPOILED: readonly (readonly [string, unknown])[] = [
  ['a number', 42],
  ['a boolean', true],
  ['an object', { a: 1 }],
  ['a list', [['x']]],
  ['null', null],
  ['NUL', 'a\u0000b'],
  ['a lone surrogate', `a${LONE}b`],
  ['a reversed surrogate pair', `a\udc00${LONE}b`],
];

/** Text that is dangerous elsewhere, and here only text. */
export const HOSTILE: readonly (readonly [string, string])[] = [
  ['SQL', `'; drop table library.items; --`],
  ['more SQL', `" or 1=1 /* $1 $$ */ \\`],
  ['tsquery', `a & b | !c <-> (d:* "`],
  ['wildcards', '%_%\\%*?'],
  ['a query of a search server', '{"match_all":{}} +a -b ~2 ^3 [1 TO *]'],
  ['a prototype', '__proto__'],
  ['a template', '${process.exit(1)} {{7*7}} <%= 1 %>'],
  ['markup', '<script>alert(1)</script>&amp;&#0;'],
  ['a path', '../../../../etc/passwd'],
  ['line breaks', 'a\r\nb\u2028c\u0085d'],
  ['controls', '\u001b[2J\u0007\u0008\u007f'],
  ['right to left', '\u202eabc\u2066def\u2069'],
  ['nothing to see', '\u200b\u200d\ufeff\u00ad'],
  ['many marks', `a${'\u0334\u0301'.repeat(80)}`],
  ['a format string', '%s%n%x %00'],
  ['the end of Unicode', '\u{10ffff}\uffff\ufffe'],
];

const TIME = [42, 'tomorrow', '2027-02-30T00:00:00Z', '2027-01-01', '2020-01-01T00:00:00Z', null];
const FLAG = ['yes', 'true', 1, 0, null, []];
const TAG = ['a b', 'a_b', '-a', 'a--b', 'ä', '', 'a\u0000', 'x'.repeat(65)].map((tag) => [tag]);
const UUID = [42, '', 'x', `${ID} `, `{${ID}}`, ID.replaceAll('-', ''), null, {}];

export const TOOLS: Readonly<Record<string, Fields>> = {
  search_knowledge_base: {
    valid: { query: 'x' },
    required: ['query'],
    long: { query: 2_000 },
    range: { limit: [1, 20] },
    wrong: { limit: ['5', null, {}, true], mode: [42, 'fuzzy', 'Hybrid', '', null], explain: FLAG },
    free: ['query'],
  },
  get_item: { valid: { item_id: ID }, required: ['item_id'], long: {}, wrong: { item_id: UUID } },
  // add_to_knowledge has few calls per hour, and so a suite of its own: add-to-knowledge.e2e.spec.ts.
  list_recent: {
    valid: {},
    required: [],
    long: {},
    range: { limit: [1, 100] },
    wrong: { limit: ['5', null, {}, true, []] },
  },
  recall: {
    valid: { query: 'x' },
    required: ['query'],
    long: { query: 2_000 },
    range: { topK: [1, 32], minScore: [0, 1] },
    fractions: ['minScore'],
    lists: { graphs: [100, 'a'] },
    wrong: {
      query: [''],
      graphs: ['x', [], [1], [''], [null], ['x'.repeat(121)], ['a\u0000'], null],
      topK: ['5', null],
      minScore: ['0.5', null],
      explain: FLAG,
    },
    free: ['query'],
  },
  remember: {
    valid: { text: 'x' },
    required: ['text'],
    long: { text: 100_000, label: 200, target_engram: 120, graphId: 120 },
    wrong: {
      text: ['', ' \n '],
      label: [42, '', ' ', null, {}],
      target_engram: [42, '', ' ', null, {}],
      graphId: [42, '', null, {}],
      kind: [42, 'note', 'Clip', '', null],
    },
    free: ['text', 'label'],
  },
  correct: {
    valid: { chunkId: ID, proposal: 'x' },
    required: ['chunkId', 'proposal'],
    long: { proposal: 2_000 },
    wrong: { chunkId: UUID, proposal: [''] },
  },
  apply: { valid: { correctionId: ID }, required: ['correctionId'], long: {}, wrong: { correctionId: UUID } },
  stats: { valid: {}, required: [], long: {}, wrong: {} },
  forget: { valid: { sourceId: ID }, required: [], long: {}, wrong: { sourceId: UUID, chunkId: UUID } },
  store_knowledge: {
    valid: { title: 'x', body: 'y' },
    required: ['title', 'body'],
    long: { title: 200, body: 32_000 },
    range: { confidence: [0, 100] },
    lists: { tags: [16, 'a'] },
    wrong: {
      title: [''],
      body: [''],
      tags: ['x', [1], [null], [['a']], null, ...TAG],
      confidence: ['high', '80', null],
      expiresAt: TIME,
      taskRef: [
        'x',
        {},
        { taskId: 't' },
        { kind: 'produced' },
        { taskId: '', kind: 'produced' },
        { taskId: 'x'.repeat(129), kind: 'produced' },
        { taskId: 't', kind: 'made' },
        { taskId: 42, kind: 'produced' },
        { taskId: 't', kind: 'produced', more: 1 },
        null,
      ],
      clientToken: UUID,
    },
    free: ['title', 'body'],
  },
  search_knowledge: {
    valid: { query: 'x' },
    required: ['query'],
    long: { query: 2_000 },
    range: { limit: [1, 50], minScore: [0, 1], efSearch: [1, 200] },
    fractions: ['minScore'],
    lists: { tags: [16, 'a'] },
    wrong: {
      query: [''],
      limit: ['5', null],
      tags: ['x', [1], [''], ['x'.repeat(65)], ['a\u0000'], null],
      includeSuperseded: FLAG,
      includeExpired: FLAG,
      minScore: ['0.5', null],
      efSearch: ['64', null],
      explain: FLAG,
    },
    free: ['query'],
  },
  supersede_knowledge: {
    valid: { oldId: ID, newId: ID },
    required: ['oldId', 'newId'],
    long: {},
    wrong: { oldId: UUID, newId: UUID },
  },
};

export const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/sign-in',
    valid: { code: 'x' },
    required: ['code'],
    long: { code: 64 },
    wrong: { code: [''] },
  },
  {
    method: 'POST',
    path: '/workspaces',
    valid: { slug: 'x', name: 'x' },
    required: ['slug', 'name'],
    long: { slug: 64, name: 120 },
    wrong: { slug: ['', 'A', 'a b', 'a--b'], name: [''] },
  },
  {
    method: 'POST',
    path: '/folders',
    valid: { slug: 'x', name: 'x' },
    required: ['slug', 'name'],
    long: { slug: 64, name: 120, readme: 8_000 },
    range: { maxTokensPerRecall: [0, 100_000] },
    wrong: { tier: [42, 'secret', null], maxTokensPerRecall: ['10'], readme: [42, null] },
  },
  {
    method: 'PATCH',
    path: `/folders/${ID}`,
    valid: { name: 'x' },
    required: [],
    long: { name: 120, readme: 8_000 },
    range: { maxTokensPerRecall: [0, 100_000] },
    wrong: { name: [42, null, ''], tier: [42, 'secret', null], maxTokensPerRecall: ['10'], readme: [42, null] },
  },
  {
    method: 'POST',
    path: '/tokens',
    valid: { name: 'x', scopes: ['read'], isUnscoped: true },
    required: ['name', 'scopes'],
    long: { name: 120, agentId: 64 },
    range: { rateLimitPerHour: [1, 1_000_000] },
    lists: { folderIds: [100, ID], scopes: [20, 'read'], toolsets: [20, 'memory'] },
    wrong: {
      agentId: [42, 'a b', '', null],
      scopes: [[], ['everything'], 'read'],
      isUnscoped: FLAG,
      folderIds: ['x', ['x'], [42], null],
      kbOnly: FLAG,
      toolsets: ['memory', ['everything'], [], null],
      rateLimitPerHour: ['10'],
      expiresAt: TIME,
    },
  },
  {
    method: 'POST',
    path: '/items',
    valid: { title: 'x', text: 'y' },
    required: ['title', 'text'],
    long: { title: 500, text: 500_000 },
    lists: { tags: [16, 'a'] },
    wrong: {
      folderId: UUID,
      inKb: FLAG,
      tags: ['x', [1], null, ...TAG],
      source: [
        ...['x', { kind: 'rumour' }, { name: 42 }, { uri: 42 }, { surprise: 1 }, null],
        ...[{ name: 'x'.repeat(501) }, { uri: 'x'.repeat(2_001) }],
      ],
      expiresAt: TIME,
    },
    free: ['title', 'text'],
  },
  {
    method: 'PATCH',
    path: `/items/${ID}`,
    valid: { inKb: true },
    required: [],
    long: { title: 500 },
    lists: { tags: [16, 'a'] },
    wrong: {
      folderId: UUID,
      inKb: FLAG,
      title: [42, '', null],
      tags: ['x', [1], null, ...TAG],
    },
  },
  {
    method: 'POST',
    path: `/confirmations/${ID}`,
    valid: { action: 'dismiss' },
    required: ['action'],
    long: { name: 120 },
    wrong: { action: ['expire', 'Use', ''], folderId: [...UUID, ID], name: [42, '', null, 'x'] },
  },
  {
    method: 'PUT',
    path: '/quotas/knowledge_stored',
    valid: { limit: 1_000_000 },
    required: [],
    long: {},
    range: { limit: [0, 1_000_000_000] },
    wrong: { limit: [undefined, '5', {}, []] },
  },
];
