import { UsageError } from '../exit.js';
import type { RestClient } from './rest-client.js';

interface Folder {
  readonly id: string;
  readonly slug: string;
}

/** People know folders by their slugs. */
export const folderIdsOf = async (client: RestClient, slugs: readonly string[]): Promise<string[]> => {
  const folders = await client.list<Folder>('/folders');
  return slugs.map((slug) => {
    const found = folders.find((folder) => folder.slug === slug);
    if (!found) throw new UsageError(`there is no folder ${slug}, or the token may not see it`);
    return found.id;
  });
};
