import { fail } from '@cairn/contracts';
import type { OpenSearchAccess, OpenSearchClient } from './open-search.js';

const AUTO_CREATE = 'action.auto_create_index';
/** Stands for all names that Cairn uses. */
const OUR_INDEX = 'chunks-v1';

const escaped = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

const matches = (pattern: string, index: string): boolean =>
  new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`).test(index);

/** Whether OpenSearch creates an index of this name when something writes to it. The first rule that matches decides. */
export const createsByItself = (setting: string, index: string): boolean => {
  if (setting === 'true' || setting === 'false') return setting === 'true';
  const rules = setting.split(',').map((rule) => rule.trim());
  const deciding = rules.find((rule) => matches(rule.replace(/^[+-]/, ''), index));
  return deciding !== undefined && !deciding.startsWith('-');
};

type Settings = Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;

/** A value that was changed at runtime counts before the one of the configuration file, which is among the defaults. */
const settingOf = (settings: Settings, name: string): string | undefined =>
  ['transient', 'persistent', 'defaults'].map((group) => settings[group]?.[name]).find((value) => value !== undefined);

/** Undefined if OpenSearch does not answer: it may come back. */
const readSettings = async (client: OpenSearchClient, host: string): Promise<Settings | undefined> => {
  try {
    const { body } = await client.cluster.getSettings({ include_defaults: true, flat_settings: true });
    return body;
  } catch (thrown) {
    if ((thrown as { readonly statusCode?: number }).statusCode !== 403) return undefined;
    const message = `OpenSearch at ${host} does not let the user read the cluster settings, which ingest needs (cluster:monitor/state)`;
    throw fail('lexical.refused', message, {}, thrown);
  }
};

/**
 * Ends the start if OpenSearch may create one of our indexes by itself: such an index would keep texts in `_source`, and
 * it would look like one that lost all its documents.
 */
export const assertCreatesNothing = async (client: OpenSearchClient, { url }: OpenSearchAccess): Promise<void> => {
  const { host } = new URL(url);
  const settings = await readSettings(client, host);
  if (!settings || !createsByItself(settingOf(settings, AUTO_CREATE) ?? 'true', OUR_INDEX)) return;
  throw fail(
    'lexical.unsuitable_server',
    `OpenSearch at ${host} creates missing indexes by itself, and these would keep texts; set \`${AUTO_CREATE}: false\` in its configuration or cluster settings, or a list that begins with \`-chunks*\``,
  );
};
