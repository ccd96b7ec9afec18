import {
  EF_SEARCH_DEFAULT,
  EF_SEARCH_MAX,
  EntryFields,
  Explanation,
  KNOWLEDGE_SEARCH_LIMIT_DEFAULT,
  KNOWLEDGE_SEARCH_LIMIT_MAX,
  QUERY_CHARS_MAX,
  TAG_CHARS_MAX,
  TAGS_MAX,
  text,
  type KnowledgeHit,
} from '@cairn/contracts';
import { z } from 'zod';
import { countArgument } from '../count-argument.js';
import { explainArgument } from '../explain-argument.js';
import { hitList, searchNotes } from '../hit-list.js';
import { references } from '../references.js';
import { knowledgeUri } from '../resource.js';
import { snippet } from '../snippet.js';
import { defineTool } from '../tool.js';

/** Tags are stored in lower case, so a search folds them too. */
const SearchedTag = text(1, TAG_CHARS_MAX).overwrite((tag) => tag.toLowerCase());

const input = z.strictObject({
  query: text(1, QUERY_CHARS_MAX).describe('What to search for.'),
  limit: countArgument(
    KNOWLEDGE_SEARCH_LIMIT_MAX,
    KNOWLEDGE_SEARCH_LIMIT_DEFAULT,
    'Maximum number of entries to return.',
  ),
  tags: z
    .array(SearchedTag)
    .max(TAGS_MAX)
    .default([])
    .describe('Only entries that have all of these tags; upper case is folded.'),
  includeSuperseded: z.boolean().default(false).describe('Also return entries that were replaced by newer ones.'),
  includeExpired: z.boolean().default(false).describe('Also return entries whose time has run out.'),
  minScore: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe('Leave out hits whose fused, normalised score is below this, before limit counts.'),
  efSearch: countArgument(
    EF_SEARCH_MAX,
    EF_SEARCH_DEFAULT,
    'Probe width of the vector index: higher finds more and takes longer.',
  ),
  explain: explainArgument,
});

const output = z.strictObject({
  hits: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      snippet: z
        .string()
        .describe(
          '240 characters centred on the first match in the text, its first 240 where the words match nothing there; ' +
            'the full text is behind resource.',
        ),
      score: z.number().describe('Normalised to 0..1: rawScore divided by 3/61, the sum of three first ranks.'),
      rawScore: z.number().describe('The reciprocal-rank sum itself.'),
      tags: z.array(z.string()),
      ...EntryFields.shape,
      resource: z.string().describe('URI for resources/read.'),
      explain: Explanation.exactOptional(),
    }),
  ),
  degraded: z
    .boolean()
    .describe(
      'True when the semantic part was unavailable: its third of a score then counts 0, and scores reach 2/3 at most.',
    ),
  stale: z.literal(true).optional().describe('Present when the newest writes may be missing.'),
});

const hitOf = ({ itemId, folderId: _, text: body, hasWords, ...hit }: KnowledgeHit, query: string) => ({
  ...hit,
  id: itemId,
  snippet: snippet(body, query, { hasWords }),
  resource: knowledgeUri(itemId),
});

const REFERENCES_HEAD =
  `For the full text of an entry above, read the resource ${knowledgeUri('{id}')} with its id; ` +
  'supersede_knowledge takes the id too:';

/** Shown only if the caller requests superseded entries: nothing else distinguishes them from their replacements. */
const marked = <T extends { readonly title: string; readonly supersededById: string | null }>(hit: T): T =>
  hit.supersededById === null ? hit : { ...hit, title: `${hit.title} (superseded by ${hit.supersededById})` };

export const searchKnowledge = defineTool({
  name: 'search_knowledge',
  title: 'Search knowledge',
  description:
    'Hybrid search over stored knowledge: meaning (vector cosine), words (full text) and titles, fused by reciprocal ' +
    'rank (k = 60). score and minScore are normalised to 0..1, since the raw sum of three legs is at most 3/61; the ' +
    'raw value is returned as rawScore. Returns snippets; read the full text through each hit’s resource.',
  when: 'for entries instead of passages, each once: filters by tag and can include superseded or expired entries.',
  input,
  output,
  scope: 'knowledge:read',
  annotations: { readOnlyHint: true, openWorldHint: false },
  handle: async (args, { cairn }) => {
    const answer = await cairn.query('items.search', args);
    const hits = answer.hits.map((hit) => hitOf(hit, args.query));
    return {
      text: hitList(hits.map(marked), searchNotes(answer)),
      ...references(
        REFERENCES_HEAD,
        hits.map(({ id }) => `id ${id}`),
      ),
      structured: { hits, degraded: answer.degraded, ...(answer.stale ? { stale: true as const } : {}) },
    };
  },
});
