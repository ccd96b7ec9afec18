import { seesPlaced } from '@cairn/access';
import { mkdtempSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOpenSearch } from '@cairn/local-servers';
import type { Tier } from '@cairn/contracts';
import { connectOpenSearch, type OpenSearchClient } from '@cairn/persistence';
import {
  generationAlias,
  OpenSearchLexicalWriter,
  type LexicalChange,
  type LexicalDocument,
  type LexicalLibrary,
  type LexicalSource,
} from '@cairn/projections';
import { testCacheDir } from '@cairn/testing';
import type { LexicalHarness } from './lexical-index.contract.js';
import { OpenSearchLexicalIndex } from './opensearch-lexical-index.js';

interface Folder {
  readonly id: string;
  readonly workspaceId: string;
  tier: Tier;
}

/** The library's form of a document: the title, which is the first line, separate from the text. */
const sourceOf = ({ body, chunkId, workspaceId, itemId, ...place }: LexicalDocument): LexicalSource => {
  const [title = '', ...text] = body.split('\n');
  return { chunkId, workspaceId, itemId, inKb: true, place: { ...place, title }, text: text.join('\n') };
};

export interface OpenSearchHarness extends LexicalHarness {
  readonly client: OpenSearchClient;
  readonly writer: OpenSearchLexicalWriter;
}

/** A separate, real OpenSearch, with the folders that a test adds. */
export const openSearchHarness = async (): Promise<OpenSearchHarness> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-opensearch-'));
  const cacheDir = testCacheDir();
  const server = await startOpenSearch({ dataDir, cacheDir, log: () => undefined });
  const client = connectOpenSearch({ url: server.url });
  const folders: Folder[] = [];
  const documents = new Map<string, LexicalDocument>();
  const library: LexicalLibrary = {
    sourcesOf: (itemId) => {
      const own = [...documents.values()].filter((document) => document.itemId === itemId);
      return Promise.resolve(own.map(sourceOf));
    },
    itemsOf: (folderId) => {
      const own = [...documents.values()].filter((document) => document.folderId === folderId);
      return Promise.resolve([...new Set(own.map(({ itemId }) => itemId))]);
    },
    readableOf: (folderIds) => {
      const secret = folders.filter(({ tier }) => tier === 'sensitive').map(({ id }) => id);
      return Promise.resolve(new Set(folderIds.filter((id) => !secret.includes(id))));
    },
  };
  const writer = new OpenSearchLexicalWriter(client, { library });
  const alias = generationAlias('first');
  await writer.recreateIndex('chunks-v1', 'first');
  await writer.swapAlias('chunks', 'chunks-v1');
  const inUse = { name: () => Promise.resolve(alias), renewed: () => Promise.resolve(alias) };
  const index = new OpenSearchLexicalIndex(client, inUse, (reader) =>
    Promise.resolve(
      folders
        .map(({ id, ...placement }) => ({ folderId: id, placement }))
        .filter((folder) => seesPlaced({ ...reader, kbOnly: true }, folder))
        .map(({ folderId }) => folderId),
    ),
  );
  /** Applies the change to the library, as it would be before the index follows. */
  const keep = (change: LexicalChange): void => {
    if (change.kind === 'put') documents.set(change.document.chunkId, change.document);
    if (change.kind !== 'move' && change.kind !== 'supersede') return;
    const changed = change.kind === 'move' ? { folderId: change.to.folderId } : { superseded: true };
    for (const [chunkId, document] of documents)
      if (document.itemId === change.itemId) documents.set(chunkId, { ...document, ...changed });
  };
  const write: LexicalHarness['write'] = async (changes) => {
    changes.forEach(keep);
    await writer.write(alias, changes);
    await writer.refresh(alias);
  };
  return {
    client,
    writer,
    index,
    write,
    setTier: async (folderId, tier, position) => {
      for (const folder of folders) if (folder.id === folderId) folder.tier = tier;
      await write([{ kind: 'tier', position, folderId, sensitive: tier === 'sensitive' }]);
    },
    addFolder: (workspaceId, tier) => {
      const id = randomUUID();
      folders.push({ id, workspaceId, tier });
      return Promise.resolve(id);
    },
    close: async () => {
      await client.close();
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};
