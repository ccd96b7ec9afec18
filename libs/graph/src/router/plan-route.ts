export const STRATEGIES = ['semantic', 'graph', 'metadata'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/**
 * The explicit facts in a query, found by a reader of the library: time expressions, folders and names that the caller
 * may see.
 */
export interface QueryFacts {
  readonly query: string;
  /** The words of a time expression, and the days it means in UTC, both inclusive. */
  readonly time?: { readonly text: string; readonly from: string; readonly to: string };
  /** A folder that is named after "in" or "from". */
  readonly folder?: { readonly text: string; readonly id: string };
  /** Names in the query that are entities for this caller, as the query writes them. */
  readonly entities: readonly string[];
}

type Arguments = Readonly<Record<string, unknown>>;

export interface Route {
  readonly strategy: Strategy;
  /** A stable name of the rule that chose the route. */
  readonly rule: string;
  /** For people. */
  readonly reason: string;
  readonly arguments: Arguments;
}

/** A query with more words describes the content of a text, so that only a search by meaning finds it. */
const CONTENT_WORDS_MAX = 3;

const FILLERS: ReadonlySet<string> = new Set(
  (
    'a an the what which who when where show list find give get me us all any every everything anything something items item notes note ' +
    'entries entry memories memory documents document files file things thing stuff did do does have has had was were is are been be ' +
    'i we my our you your it of in on at by for with from to and or about during since between please can could that this recent recently new ' +
    'latest last first write wrote written add added save saved create created store stored record recorded commit committed folio folder ' +
    'there were happened know'
  ).split(' '),
);

const OWN_WRITING =
  /\b(?:i|we)\b[^?.]*\b(?:wr(?:ite|ote|itten)|add(?:ed)?|save[d]?|create[d]?|store[d]?|record(?:ed)?|note[d]?|commit(?:ted)?)\b/i;

/** Query forms that ask how named things are related. */
const RELATIONAL: readonly (readonly [string, RegExp])[] = [
  ['between', /\bbetween\b.+\band\b/i],
  ['connected', /\b(?:connected|related|linked|relation(?:ship)?|connection|ties?)\b/i],
  ['who', /\bwho(?:m|se)?\b/i],
  ['works', /\bwork(?:s|ed|ing)? (?:at|for|with|on|under)\b/i],
  ['reports', /\breports? to\b/i],
  [
    'possessive',
    /\p{L}['’]s (?:\p{L}+ )?(?:boss|manager|team|colleagues?|projects?|company|employer|reports?|friends?|role|job|owner|founder|ceo|cto|lead)\b/iu,
  ],
  ['of', /\b(?:manager|boss|founder|owner|employer|ceo|cto|lead|head|members?|colleagues|employees) of\b/i],
];

const DEEP: ReadonlySet<string> = new Set(['between', 'connected']);

const contentWords = (query: string, without: readonly string[]): string[] => {
  const rest = without.reduce((text, part) => text.replace(part, ' '), query);
  return (rest.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !FILLERS.has(word));
};

const metadataRoute = ({ query, time, folder }: QueryFacts): Route | undefined => {
  const isOwn = OWN_WRITING.test(query);
  if (!time && !folder) return undefined;
  const left = contentWords(
    query,
    [time?.text, folder?.text].filter((text) => text !== undefined),
  );
  if (left.length > CONTENT_WORDS_MAX || (left.length > 0 && !isOwn && !folder && left.length > 1)) return undefined;
  const filters = {
    ...(folder && { folio_id: folder.id }),
    ...(time && { date_from: time.from, date_to: time.to }),
  };
  const [rule, words] = time ? (['time', time.text] as const) : (['folio', folder!.text] as const);
  return { strategy: 'metadata', rule, reason: `The query asks by ${rule}: "${words}".`, arguments: { filters } };
};

const graphRoute = ({ query, entities }: QueryFacts): Route | undefined => {
  const form = RELATIONAL.find(([, pattern]) => pattern.test(query));
  const [entity] = [...entities].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  if (!form || entity === undefined) return undefined;
  const reason = `The query asks how the known name "${entity}" is related (form: ${form[0]}).`;
  return {
    strategy: 'graph',
    rule: form[0],
    reason,
    arguments: { start_entity: entity, depth: DEEP.has(form[0]) ? 2 : 1 },
  };
};

/** A time or a folio that the query names and that does not filter the search. */
const meaningReason = ({ time, folder }: QueryFacts): string => {
  const named = [...(time ? [`a time ("${time.text}")`] : []), ...(folder ? [`a folio ("${folder.text}")`] : [])];
  return named.length === 0
    ? 'The query names neither a time, a folio nor a relation of a known name, so its meaning is searched.'
    : `The query names ${named.join(' and ')} but mainly describes content, so its meaning is searched, without a filter.`;
};

/** Chooses the kind of search by the form of the query alone: the same facts give the same route. */
export const planRoute = (facts: QueryFacts): Route =>
  metadataRoute(facts) ??
  graphRoute(facts) ?? {
    strategy: 'semantic',
    rule: 'meaning',
    reason: meaningReason(facts),
    arguments: { query: facts.query },
  };
