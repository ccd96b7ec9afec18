import {
  DayOrTime,
  ENTITY_QUERY_CHARS_MAX,
  isDay,
  ITEM_KINDS,
  METADATA_LIMIT_DEFAULT,
  METADATA_LIMIT_MAX,
  SOURCE_NAME_CHARS_MAX,
  TAG_CHARS_MAX,
  TAGS_MAX,
  text,
  Uuid,
  type QueryData,
} from '@cairn/contracts';
import { z } from 'zod';

const DAY_MS = 86_400_000;

/** Every field except `limit` narrows the answer. */
const filterFields = {
  entity_name: text(1, ENTITY_QUERY_CHARS_MAX)
    .optional()
    .describe('Only artifacts that mention this entity, by its name or an alias.'),
  folio_id: Uuid.optional().describe('Only artifacts of this folio.'),
  date_from: DayOrTime.optional().describe('Stored on or after this day, in UTC, or at or after this time.'),
  date_to: DayOrTime.optional().describe('Stored on or before this day, in UTC, or before this time.'),
  tags: z
    .array(text(1, TAG_CHARS_MAX).overwrite((tag) => tag.toLowerCase()))
    .min(1)
    .max(TAGS_MAX)
    .optional()
    .describe('Artifacts that have all of these tags.'),
  kind: z.enum(ITEM_KINDS).optional().describe('Kind of artifact.'),
  source: text(1, SOURCE_NAME_CHARS_MAX)
    .optional()
    .describe('Kind of the source (agent, human, file, url, connector) or its name, without regard to case.'),
};

export const FILTER_NAMES = Object.keys(filterFields) as readonly (keyof typeof filterFields)[];

export const MetadataFilters = z
  .strictObject({
    ...filterFields,
    limit: z
      .int()
      .min(1)
      .max(METADATA_LIMIT_MAX)
      .default(METADATA_LIMIT_DEFAULT)
      .describe('Maximum number of artifacts to return.'),
  })
  .refine(
    (filters) => FILTER_NAMES.some((name) => filters[name] !== undefined),
    `must have at least one of ${FILTER_NAMES.join(', ')}`,
  )
  .superRefine((filters, context) => {
    const { from, to } = rangeOf(filters);
    if (from === undefined || to === undefined || Date.parse(from) < Date.parse(to)) return;
    context.addIssue({ code: 'custom', path: ['date_to'], message: 'must not be before date_from', input: filters });
  });
export type MetadataFilters = z.output<typeof MetadataFilters>;

interface Range {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const LAST_TIME = '9999-12-31T23:59:59.999Z';

const startOf = (given: string): string => (isDay(given) ? `${given}T00:00:00.000Z` : given);

/** The last day belongs to the range, so the range ends at the next day. */
const endOf = (given: string): string => {
  if (!isDay(given)) return given;
  return LAST_TIME.startsWith(given) ? LAST_TIME : new Date(Date.parse(given) + DAY_MS).toISOString();
};

/** Includes `from` and excludes `to`. */
const rangeOf = ({ date_from, date_to }: Pick<MetadataFilters, 'date_from' | 'date_to'>): Range => ({
  ...(date_from !== undefined && { from: startOf(date_from) }),
  ...(date_to !== undefined && { to: endOf(date_to) }),
});

/** The filters under the names of the query. */
export const itemFilterOf = (filters: MetadataFilters): QueryData<'items.query'> => {
  const { entity_name, folio_id, tags, kind, source, limit } = filters;
  return {
    ...(entity_name !== undefined && { entityName: entity_name }),
    ...(folio_id !== undefined && { folderId: folio_id }),
    ...rangeOf(filters),
    ...(tags && { tags }),
    ...(kind && { kind }),
    ...(source !== undefined && { source }),
    limit,
  };
};

/** Maps the query's name of a filter to the tool's name. */
export const CAME_FROM = {
  entityName: 'entity_name',
  folderId: 'folio_id',
  from: 'date_from',
  to: 'date_to',
  date: 'date',
};
