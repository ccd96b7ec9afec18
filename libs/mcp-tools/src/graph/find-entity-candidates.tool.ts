import {
  CandidateMatch,
  ENTITIES_FOUND_MAX,
  ENTITY_NAME_CHARS_MAX,
  ENTITY_QUERY_CHARS_MAX,
  EntityType,
  NEAR_NAMES_MAX,
  text,
  Uuid,
  type EntityCandidate,
  type Wire,
} from '@cairn/contracts';
import { z } from 'zod';
import { countArgument } from '../count-argument.js';
import { oneLine, searchNotes, twoDecimals } from '../hit-list.js';
import { artifactUri } from './artifact.js';
import { defineGraphTool, READS_GRAPH } from './graph-tool.js';
import { findEntityCandidatesHints } from './hints/find-entity-candidates.hints.js';

const LIMIT_DEFAULT = 8;

const input = z.strictObject({
  text: text(1, ENTITY_QUERY_CHARS_MAX).describe('A name or a part of one, such as "Alice".'),
  hints: z
    .strictObject({
      type: EntityType.optional().describe('The type that is meant.'),
      near: z
        .array(text(1, ENTITY_NAME_CHARS_MAX))
        .max(NEAR_NAMES_MAX)
        .optional()
        .describe('Names of entities that the one that is meant has to do with.'),
      folio_id: Uuid.optional().describe('A folio that mentions it.'),
    })
    .optional()
    .describe('What is known of the one that is meant: fitting candidates come first, and none is left out.'),
  limit: countArgument(ENTITIES_FOUND_MAX, LIMIT_DEFAULT, 'Maximum number of candidates.'),
});
export type FindEntityCandidatesArgs = z.output<typeof input>;

const output = z.strictObject({
  candidates: z
    .array(
      z.strictObject({
        id: z.string(),
        name: z.string().describe('Feed it to carabase_search_graph as start_entity.'),
        type: EntityType,
        aliases: z.array(z.string()),
        match: CandidateMatch.describe(
          'How the text fits: by the whole name, an alias, a word, its beginning, its spelling.',
        ),
        score: z.number(),
        context: z.strictObject({
          mentions: z.int().describe('Passages that mention it.'),
          last_seen: z.string(),
          folios: z.array(z.string()).describe('Display names.'),
          neighbours: z.array(z.string()).describe('Entities that it is related to.'),
          example: z.strictObject({ artifact: z.string(), snippet: z.string() }),
        }),
      }),
    )
    .describe('Best first. Names that were merged are one candidate.'),
  stale: z.literal(true).exactOptional().describe('Present when the newest writes may be missing.'),
});
export type FindEntityCandidatesAnswer = Wire<typeof output>;

const candidateOf = (candidate: EntityCandidate) => {
  const { id, name, type, aliases, match, score, mentions, lastSeen, folders, neighbours, example } = candidate;
  return {
    id,
    name,
    type,
    aliases,
    match,
    score,
    context: {
      mentions,
      last_seen: lastSeen,
      folios: folders,
      neighbours,
      example: { artifact: artifactUri(example.itemId), snippet: example.snippet },
    },
  };
};

type Shown = ReturnType<typeof candidateOf>;

const lineOf = ({ name, type, match, score, context }: Shown, index: number): string => {
  const near = context.neighbours.map(oneLine).join(', ');
  const about = [`${type}, ${match}`, ...(near === '' ? [] : [`near ${near}`])].join('; ');
  return `${index + 1}. (${twoDecimals(score)}) ${oneLine(name)}: ${about}\n   "...${oneLine(context.example.snippet)}..."`;
};

export const findEntityCandidates = defineGraphTool({
  name: 'carabase_find_entity_candidates',
  argumentAliases: { name: 'text' },
  title: 'Find entity candidates',
  description:
    'Finds the entities that a name or a part of one may mean, each with what tells it apart: type, other names, folios, ' +
    'neighbours and a passage. Names that were merged by a person count as one entity.',
  when: 'for a name that may mean several, before carabase_search_graph; it tells two people called Alice apart.',
  input,
  output,
  ...READS_GRAPH,
  hints: findEntityCandidatesHints,
  cameFrom: { folderId: 'hints.folio_id' },
  handle: async ({ text: asked, hints, limit }, { cairn }) => {
    const { type, near, folio_id: folderId } = hints ?? {};
    const known = {
      ...(type !== undefined && { type }),
      ...(near !== undefined && { near }),
      ...(folderId !== undefined && { folderId }),
    };
    const answer = await cairn.query('entities.find', { text: asked, hints: known, limit, surface: 'mcp' });
    const candidates = answer.candidates.map(candidateOf);
    const list = candidates.length === 0 ? 'No entity has a name like this.' : candidates.map(lineOf).join('\n');
    return {
      text: [list, ...searchNotes({ degraded: false, stale: answer.stale })].join('\n\n'),
      structured: { candidates, ...(answer.stale && { stale: true as const }) },
    };
  },
});
