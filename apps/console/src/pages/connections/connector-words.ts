import type { AnswerTo, Connector, Retention } from '../../api/answers.js';
import { fileSize, plural } from '../../ui/format.js';

type Capability = Connector['capabilities'][number];

const CAPABILITIES: Readonly<Record<Capability, string>> = {
  sync: 'Sync stores its documents here.',
  import: 'Reads files that you export there.',
  'hydrate:text': 'Agents can fetch a text when they need it.',
};

export const capabilityLabel = (capability: Capability): string => CAPABILITIES[capability];

/** The name of a setting as the label of its field: "path" is "Path". */
export const settingLabel = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** From the highest retention to the lowest. */
const RETENTIONS: readonly Retention[] = ['full', 'hollow', 'metadata', 'dark'];

const RETENTION_LABELS: Readonly<Record<Retention, string>> = {
  full: 'full: the whole text',
  hollow: 'hollow: a summary, the text on demand',
  metadata: 'metadata: title and facts only',
  dark: 'dark: nothing that can be searched',
};

export const retentionLabel = (retention: Retention): string => RETENTION_LABELS[retention];

/** The retention choices of an account: up to that of its connector. */
export const retentionsWithin = (most: Retention): readonly Retention[] => RETENTIONS.slice(RETENTIONS.indexOf(most));

type Synced = Omit<AnswerTo<'POST /accounts/{id}/sync'>, 'nextCursor' | 'position'>;

export const NOTHING_SYNCED: Synced = { found: 0, stored: 0, unchanged: 0, failed: 0, failures: [], left: 0 };

/** Each call answers for the documents after its cursor, so those of earlier calls are added. */
export const withSynced = (sum: Synced, { found, stored, unchanged, failed, failures, left }: Synced): Synced => ({
  found: sum.found - sum.left + found,
  stored: sum.stored + stored,
  unchanged: sum.unchanged + unchanged,
  failed: sum.failed + failed,
  failures: [...sum.failures, ...failures],
  left,
});

/** Includes the first reason if some documents could not be read. */
export const syncResult = ({ found, stored, unchanged, failed, failures, left }: Synced): string => {
  const [first] = failures;
  const wrong = failed === 0 ? '' : `, ${failed} failed${first ? ` (${first.ref}: ${first.message})` : ''}`;
  const more = left === 0 ? '' : ` Going on with the other ${left} …`;
  return `${plural(found, 'document')} found: ${stored} stored, ${unchanged} unchanged${wrong}.${more}`;
};

export const importResult = ({ rows, duplicates, items }: AnswerTo<'POST /accounts/{id}/import'>): string =>
  `${plural(rows, 'row')} stored in ${plural(items, 'item')}, ${plural(duplicates, 'duplicate')} left out.`;

/** Shown while a file is read: the answer comes when all of it is stored. */
export const importNote = ({ name, size }: Pick<File, 'name' | 'size'>): string =>
  `Importing ${name} (${fileSize(size)}) … A large file takes a few minutes.`;

export const purgeResult = ({ rows, rollups }: AnswerTo<'POST /accounts/{id}/purge'>): string =>
  `${plural(rows, 'row')} purged, daily totals of ${plural(rollups, 'month')} kept.`;
