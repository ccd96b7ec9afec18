import { randomUUID } from 'node:crypto';
import { SCOPES } from '@cairn/contracts';
import { callRpc, embedded, newToken, newWorkspace, rest, storeItem } from './under-test.js';

/** Everything that a call may speak of, of one place: the caller's own folder, or a place that it must not notice. */
export interface Target {
  readonly word: string;
  readonly folderId: string;
  readonly folderName: string;
  readonly itemId: string;
  readonly chunkId: string;
  readonly correctionId: string;
  readonly tokenId: string;
  readonly opId: string;
  /** Of a memory that waits for a decision. */
  readonly confirmationId: string;
  /** Of a further item, which was forgotten. */
  readonly receiptId: string;
}

export interface World {
  /** Sees the folder `own` only, with every scope but admin. */
  readonly reader: string;
  readonly admin: string;
  readonly targets: Readonly<Record<Column, Target>>;
  /** Another item in the same folder, by the same agent. */
  readonly spare: () => Promise<string>;
}

/** A place for every way of not being there; a new way is one more entry here and in `newWorld`. */
export const HIDDEN_FROM_READERS = ['other folder', 'other workspace', 'forgotten', 'never existed'] as const;
/** An admin sees every folder of its workspace, and in the op-log that something was forgotten. */
export const HIDDEN_FROM_ADMINS = ['other workspace', 'never existed'] as const;
export type Column = 'own folder' | (typeof HIDDEN_FROM_READERS)[number];

export const ALL_BUT_ADMIN = SCOPES.filter((scope) => scope !== 'admin');
/** Ownership must not be what tells the places apart, so the same agent has written to all of them. */
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
    correctionId: proposed.body.result.structuredContent.correctionId,
    tokenId: spare.body.id,
    opId: ops.body.items[0].id,
    confirmationId,
    receiptId: await forgottenItem(admin, folder.body.id),
    token,
  };
};

/** The receipt of an item that was there for a moment. */
const forgottenItem = async (admin: string, folderId: string): Promise<string> => {
  const { id } = await storeItem(admin, { title: 'Short', text: 'A note of short life.', folderId });
  return (await rest(admin, 'DELETE', `/items/${id}`)).body.receiptId;
};

/** In the reader's own folder: an item, its chunk and a correction of it, until it was forgotten. */
const forgotten = async (token: string, word: string): Promise<Target> => {
  const { id: itemId, chunkIds } = await storeItem(token, { title: `About ${word}`, text: `A note of ${word}.` });
  await embedded(token, itemId);
  const chunkId = chunkIds[0]!;
  const proposed = await callRpc(token, 'correct', { chunkId, proposal: 'replace note with memo' });
  const { correctionId } = proposed.body.result.structuredContent;
  await callRpc(token, 'forget', { sourceId: itemId });
  return { ...nowhere(), word, itemId, chunkId, correctionId };
};

const nowhere = (): Target => ({
  word: 'velvetorchid',
  folderId: randomUUID(),
  folderName: 'velvetorchid-0',
  itemId: randomUUID(),
  chunkId: randomUUID(),
  correctionId: randomUUID(),
  tokenId: randomUUID(),
  opId: randomUUID(),
  confirmationId: randomUUID(),
  receiptId: randomUUID(),
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
      forgotten: await forgotten(own.token, 'ambertortoise'),
      'never existed': nowhere(),
    },
    spare: async () => (await storeItem(own.token, { title: 'Spare', text: 'A further note.' })).id,
  };
};
