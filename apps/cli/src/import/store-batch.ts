import { ERROR_KINDS, ERROR_TABLE, plural } from '@cairn/contracts';
import type { RestClient } from '../rest/rest-client.js';
import { batchOf, type TextEntry } from './text-entry.js';

interface ItemError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** The answer for one item of a batch. */
export type ItemAnswer = { readonly id: string; readonly error?: undefined } | { readonly error: ItemError };

const kindOf: Readonly<Record<string, keyof typeof ERROR_TABLE | undefined>> = ERROR_KINDS;

const mayPassLater = ({ error }: ItemAnswer): boolean => {
  const kind = error && kindOf[error.code];
  return kind !== undefined && ERROR_TABLE[kind].retry;
};

const problemOf = (open: readonly ItemAnswer[]): string =>
  `it answers ${open[0]?.error?.status} for ${plural(open.length, 'item')}`;

/**
 * Stores the entries and returns an answer for each. Those that are refused only for now are sent again under their
 * keys; if none of them gets through for a while, the server counts as unavailable.
 */
export const storeBatch = async (
  client: Pick<RestClient, 'postParts' | 'pause'>,
  entries: readonly TextEntry[],
): Promise<ReadonlyMap<TextEntry, ItemAnswer>> => {
  const answers = new Map<TextEntry, ItemAnswer>();
  let open = entries;
  for (let failed = 0; ;) {
    const sent = open;
    const { results } = await client.postParts<{ results: readonly ItemAnswer[] }>('/items:batch', batchOf(sent));
    results.forEach((answer, i) => answers.set(sent[i]!, answer));
    open = sent.filter((entry) => mayPassLater(answers.get(entry)!));
    if (open.length === 0) return answers;
    failed = open.length < sent.length ? 1 : failed + 1;
    await client.pause(problemOf(open.map((entry) => answers.get(entry)!)), failed);
  }
};
