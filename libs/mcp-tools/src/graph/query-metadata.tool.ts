import { ITEM_KINDS, ItemSummary, type QueriedItem, type Wire } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';
import { z } from 'zod';
import { oneLine } from '../hit-list.js';
import { references } from '../references.js';
import { artifactLinks, artifactUri } from './artifact.js';
import { defineGraphTool, READS_GRAPH } from './graph-tool.js';
import { queryMetadataHints } from './hints/query-metadata.hints.js';
import { CAME_FROM, FILTER_NAMES, itemFilterOf, MetadataFilters } from './metadata-filters.js';

const input = z.strictObject({
  filters: MetadataFilters.describe('What the artifacts have in common: at least one filter in addition to limit.'),
});
export type QueryMetadataArgs = z.output<typeof input>;

const output = z.strictObject({
  items: z
    .array(
      z.strictObject({
        artifact: z.string().describe('URI for resources/read: the full text.'),
        memory_id: z.string(),
        title: z.string(),
        kind: z.enum(ITEM_KINDS),
        folio_id: z.string(),
        tags: z.array(z.string()),
        source: ItemSummary.shape.source,
        created_at: z.string(),
        superseded: z.literal(true).exactOptional().describe('Present when a newer artifact has replaced this one.'),
      }),
    )
    .describe('Newest first.'),
  total: z.int().describe('Matching artifacts, counted up to 1,000.'),
  truncated: z.literal(true).exactOptional().describe('Present when older artifacts were not looked at.'),
});
export type QueryMetadataAnswer = Wire<typeof output>;

const itemOf = ({ id, title, kind, folderId, tags, source, createdAt, superseded }: QueriedItem) => ({
  artifact: artifactUri(id),
  memory_id: id,
  title,
  kind,
  folio_id: folderId,
  tags: [...tags],
  source,
  created_at: createdAt,
  ...(superseded && { superseded: true as const }),
});

const lineOf = ({ title, kind, created_at, superseded }: ReturnType<typeof itemOf>, index: number): string =>
  `${index + 1}. ${oneLine(title)} (${kind}, ${created_at}${superseded ? ', superseded' : ''})`;

/** Arguments under `filters` were once at the top level, and two of them had other names. */
const FLAT = {
  ...Object.fromEntries([...FILTER_NAMES, 'limit'].map((name) => [name, `filters.${name}`])),
  date_after: 'filters.date_from',
  date_before: 'filters.date_to',
  'filters.date_after': 'filters.date_from',
  'filters.date_before': 'filters.date_to',
};

/** A refusal names the field of the query; in the tool, a filter is inside an argument. */
const inFilters = (thrown: unknown): unknown => {
  if (!(thrown instanceof AppError) || typeof thrown.details['field'] !== 'string') return thrown;
  const { code, kind, message, details, cause } = thrown;
  const name = CAME_FROM[details['field'] as keyof typeof CAME_FROM] ?? details['field'];
  return new AppError(code, kind, message, { ...details, field: `filters.${name}` }, cause);
};

export const queryMetadata = defineGraphTool({
  name: 'carabase_query_metadata',
  argumentAliases: FLAT,
  title: 'Query by metadata',
  description:
    'Structured query by entity, folio, date range, tags, kind or source, newest first, without bodies: for questions such as ' +
    '"what did I write last Tuesday?". All filters must match. A day counts in UTC.',
  when: 'for what was stored when, where or from which source, rather than what it says.',
  input,
  output,
  ...READS_GRAPH,
  hints: queryMetadataHints,
  handle: async ({ filters }, { cairn }) => {
    const answer = await cairn.query('items.query', itemFilterOf(filters)).catch((thrown: unknown) => {
      throw inFilters(thrown);
    });
    const items = answer.items.map(itemOf);
    const count = answer.total > items.length ? `\n\n${items.length} of ${answer.total} are listed.` : '';
    return {
      text: items.length === 0 ? 'No artifact matches these filters.' : `${items.map(lineOf).join('\n')}${count}`,
      ...references(
        'For the full text of an entry above, read its artifact:',
        items.map(({ artifact }) => artifact),
      ),
      links: artifactLinks(items),
      structured: { items, total: answer.total, ...(answer.truncated && { truncated: true as const }) },
      trace: { matched: answer.matched },
    };
  },
});
