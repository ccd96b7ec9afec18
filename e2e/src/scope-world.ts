import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCOPES } from '@cairn/contracts';
import { startPlainServer } from './plain-mcp-server.js';
import { callRpc, embedded, newToken, newWorkspace, rest, storeItem, underTest, upload } from './under-test.js';

/** Everything that a call may refer to, in one place: the caller's own folder, or a place that it must not notice. */
export interface Target {
  readonly word: string;
  readonly folderId: string;
  readonly folderName: string;
  readonly itemId: string;
  readonly chunkId: string;
  /** From the item to another one in its folder. */
  readonly linkId: string;
  /**
   * The ids of an ambiguous edge that the chunk states, of the entity of the word, and of a merge of two other names.
   */
  readonly edgeId: string;
  readonly entityId: string;
  readonly mergeId: string;
  readonly correctionId: string;
  readonly tokenId: string;
  readonly opId: string;
  /** A memory that waits for a decision. */
  readonly confirmationId: string;
  readonly accountId: string;
  /** An item that keeps only the metadata of a file. */
  readonly meshUri: string;
  /** Another item, which was forgotten. */
  readonly receiptId: string;
  /** An external MCP server with the tool `look`, which waits for approval. */
  readonly serverId: string;
}

export interface World {
  /** Sees only the folder `own`, with every scope but admin. */
  readonly reader: string;
  readonly admin: string;
  readonly targets: Readonly<Record<Column, Target>>;
  /** Another item in the same folder, by the same agent. */
  readonly spare: () => Promise<string>;
  /** Another account. */
  readonly spareAccount: () => Promise<string>;
  /** An account that rows can be imported into. */
  readonly spareSeries: () => Promise<string>;
}

/** One place for every way of being out of sight; a new way is one more entry here and in `newWorld`. */
export const HIDDEN_FROM_READERS = ['other folder', 'other workspace', 'forgotten', 'never existed'] as const;
/** An admin sees every folder of its workspace, and in the op-log that something was forgotten. */
export const HIDDEN_FROM_ADMINS = ['other workspace', 'never existed'] as const;
export type Column = 'own folder' | (typeof HIDDEN_FROM_READERS)[number];

export const ALL_BUT_ADMIN = SCOPES.filter((scope) => scope !== 'admin');
/** Ownership must not distinguish the places, so the same agent has written to all of them. */
const AGENT = 'matrix';

const place = async (admin: string, word: string): Promise<Target & { readonly token: string }> => {
  const slug = `${word}-${randomUUID().slice(0, 8)}`;
  const folder = await rest(admin, 'POST', '/folders', { slug, name: word });
  const grant = { isUnscoped: false, folderIds: [folder.body.id], scopes: ALL_BUT_ADMIN, agentId: AGENT };
  const [token, spare] = await Promise.all([
    newToken(admin, grant),
    rest(admin, 'POST', '/tokens', { name: 'spare', scopes: ['read'], folderIds: [folder.body.id] }),
  ]);
  const { id: itemId, chunkIds } = await storeItem(token, {
    title: `About ${word}`,
    text: `A note that speaks of ${word}.`,
  });
  await embedded(token, itemId);
  await newSeries(admin, word, folder.body.id);
  const chunkId = chunkIds[0]!;
  const proposed = await callRpc(token, 'correct', { chunkId, proposal: 'replace note with memo' });
  const ops = await rest(admin, 'GET', `/ops?itemId=${itemId}`);
  const asked = await callRpc(token, 'remember', { text: `A memory of ${word}.`, target_engram: 'Unheard of' });
  const { confirmationId } = asked.body.result.structuredContent;
  return {
    word,
    folderId: folder.body.id,
    folderName: slug,
    itemId,
    chunkId,
    linkId: await newLink(token, itemId),
    ...(await newStatement(admin, chunkId, word)),
    correctionId: proposed.body.result.structuredContent.correctionId,
    tokenId: spare.body.id,
    opId: ops.body.items[0].id,
    confirmationId,
    accountId: await newAccount(admin, folder.body.id),
    meshUri: await newMeshItem(admin, folder.body.id),
    receiptId: await forgottenItem(admin, folder.body.id),
    serverId: await externalServer(admin),
    token,
  };
};

/** Edges that a chunk states, once the graph has them, and a merge of two of their names. */
export const newStatement = async (
  admin: string,
  chunkId: string,
  word: string,
): Promise<Pick<Target, 'edgeId' | 'entityId' | 'mergeId'>> => {
  const edges = [
    { subject: word, predicate: 'near', object: `harbour of ${word}`, sourceKind: 'ambiguous' },
    { subject: `mate of ${word}`, predicate: 'same_as', object: `cook of ${word}` },
  ];
  const { body } = await rest(admin, 'POST', '/edges', { chunkId, edges });
  const [edgeId, other] = body.edgeIds;
  const { subjectId: entityId } = (await rest(admin, 'GET', `/edges/${edgeId}`)).body;
  const { subjectId: aliasId, objectId: canonicalId } = (await rest(admin, 'GET', `/edges/${other}`)).body;
  const merge = await rest(admin, 'POST', '/entities/merges', { aliasId, canonicalId });
  return { edgeId, entityId, mergeId: merge.body.mergeId };
};

/** A link from the item to a new one. */
export const newLink = async (token: string, fromItemId: string): Promise<string> => {
  const { id: toItemId } = await storeItem(token, { title: 'Linked', text: 'A note that is linked.' });
  const { body } = await rest(token, 'POST', '/links', { links: [{ fromItemId, toItemId, type: 'related' }] });
  return body.linkIds[0];
};

/** A file of a folder account, stored as metadata: its mesh URI. */
const newMeshItem = async (admin: string, folderId: string): Promise<string> => {
  const path = mkdtempSync(join(underTest.connectorRoot, 'matrix-'));
  writeFileSync(join(path, 'note.txt'), 'A note that is kept at its source.');
  const account = { connectorId: 'folder', label: 'Files', settings: { path }, folderId, retention: 'metadata' };
  const { id } = (await rest(admin, 'POST', '/accounts', account)).body;
  await rest(admin, 'POST', `/accounts/${id}/sync`);
  const { items } = (await rest(admin, 'GET', `/items?folderId=${folderId}&kind=file`)).body;
  return (await rest(admin, 'GET', `/items/${items[0].id}`)).body.meshUri;
};

const newAccount = async (admin: string, folderId?: string): Promise<string> => {
  const settings = { urls: ['https://example.com/'] };
  return (await rest(admin, 'POST', '/accounts', { connectorId: 'url', label: 'Pages', settings, folderId })).body.id;
};

/** An account with one listen of an artist. */
const newSeries = async (admin: string, artist: string, folderId?: string): Promise<string> => {
  const account = await rest(admin, 'POST', '/accounts', { connectorId: 'tidal', label: 'Listens', folderId });
  const listens = `id,listened_at,artist,listen_seconds\n1,2026-01-05,${artist},60\n`;
  await upload(admin, `/accounts/${account.body.id}/import`, ['listens.csv', listens]);
  return account.body.id;
};

const externalServer = async (admin: string): Promise<string> => {
  const url = await startPlainServer(underTest.stubPorts);
  const name = `s-${randomUUID().slice(0, 8)}`;
  return (await rest(admin, 'POST', '/mcp-servers', { name, url, approval: 'manual' })).body.id;
};

/** The receipt of an item that existed for a moment. */
const forgottenItem = async (admin: string, folderId: string): Promise<string> => {
  const { id } = await storeItem(admin, { title: 'Short', text: 'A note of short life.', folderId });
  return (await rest(admin, 'DELETE', `/items/${id}`)).body.receiptId;
};

const forgottenSeries = async (admin: string, word: string, folderId: string): Promise<void> => {
  const seen = new Set(await batchesOf(admin, folderId));
  await newSeries(admin, word, folderId);
  const added = (await batchesOf(admin, folderId)).filter((id) => !seen.has(id));
  for (const id of added) await rest(admin, 'DELETE', `/items/${id}`);
};

const batchesOf = async (admin: string, folderId: string): Promise<string[]> => {
  const { body } = await rest(admin, 'GET', `/items?kind=observations&folderId=${folderId}`);
  return body.items.map(({ id }: { id: string }) => id);
};

/** In the reader's own folder: an item, its chunk and a correction of it, until it was forgotten. */
const forgotten = async (token: string, admin: string, word: string, folderId: string): Promise<Target> => {
  await forgottenSeries(admin, word, folderId);
  const { id: itemId, chunkIds } = await storeItem(token, { title: `About ${word}`, text: `A note of ${word}.` });
  await embedded(token, itemId);
  const chunkId = chunkIds[0]!;
  const proposed = await callRpc(token, 'correct', { chunkId, proposal: 'replace note with memo' });
  const { correctionId } = proposed.body.result.structuredContent;
  const linkId = await newLink(token, itemId);
  const statement = await newStatement(admin, chunkId, word);
  await callRpc(token, 'forget', { sourceId: itemId });
  return { ...nowhere(), word, itemId, chunkId, linkId, correctionId, ...statement };
};

const nowhere = (): Target => ({
  word: 'velvetorchid',
  folderId: randomUUID(),
  folderName: 'velvetorchid-0',
  edgeId: randomUUID(),
  entityId: randomUUID(),
  mergeId: randomUUID(),
  itemId: randomUUID(),
  chunkId: randomUUID(),
  linkId: randomUUID(),
  correctionId: randomUUID(),
  tokenId: randomUUID(),
  opId: randomUUID(),
  confirmationId: randomUUID(),
  accountId: randomUUID(),
  meshUri: `mesh://folder/${randomUUID()}/${randomUUID()}`,
  receiptId: randomUUID(),
  serverId: randomUUID(),
});

export const newWorld = async (): Promise<World> => {
  const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
  const [own, other, foreign] = await Promise.all([
    place(mine.token, 'quillfeather'),
    place(mine.token, 'marblestone'),
    place(theirs.token, 'copperkettle'),
  ]);
  return {
    reader: own.token,
    admin: mine.token,
    targets: {
      'own folder': own,
      'other folder': other,
      'other workspace': foreign,
      forgotten: await forgotten(own.token, mine.token, 'ambertortoise', own.folderId),
      'never existed': nowhere(),
    },
    spareAccount: () => newAccount(mine.token),
    spareSeries: () => newSeries(mine.token, 'spare'),
    spare: async () => {
      const { id } = await storeItem(own.token, { title: 'Spare', text: 'A further note.' });
      // Waits until it is found by meaning, so this does not change while answers are compared.
      await embedded(own.token, id);
      return id;
    },
  };
};
