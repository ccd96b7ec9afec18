import { useApi } from '../session/session.js';
import { useLoad, type Loaded } from './use-load.js';
import type { Folder, Page } from './answers.js';

const PAGE_LIMIT = 100;

/** Loads all folders, because lists to choose from need every one. */
export const useFolders = (): Loaded<readonly Folder[]> => {
  const api = useApi();
  return useLoad('folders', async () => {
    const folders: Folder[] = [];
    let cursor: string | undefined;
    do {
      const page: Page<Folder> = await api.call('GET /folders', { query: { limit: PAGE_LIMIT, cursor } });
      folders.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return folders;
  });
};
