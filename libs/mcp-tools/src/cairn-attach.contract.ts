import { beforeEach, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '@cairn/kernel';
import type { CairnPort } from './cairn.port.js';
import { errorOf, TestWorkspace, type OpenCairn } from './cairn-workspace.builder.js';

const surface = 'mcp';

export const describeAttach = (open: OpenCairn): void => {
  let workspace: TestWorkspace;
  let folderId: string;
  let logCardId: string;

  beforeEach(async () => {
    workspace = await TestWorkspace.create(open);
    folderId = await workspace.folder('runs');
    logCardId = (await workspace.store({ kind: 'log-card', title: 'Run 7', folderId })).itemId;
  });

  const attach = (to: string, port: CairnPort = workspace.admin) =>
    port.command('item.attach', { logCardId: to, title: 'Notes', text: 'Three harbours.', fileName: 'notes.txt' });

  describe('item.attach', () => {
    it('stores the file in the folder of the log card and links the two', async () => {
      const { itemId, linkId, chunkCount } = await attach(logCardId);
      expect(chunkCount).toBe(1);
      expect(await workspace.admin.query('item.get', { itemId, surface })).toMatchObject({
        ...{ folderId, kind: 'file', title: 'Notes', content: 'Three harbours.' },
        source: { kind: 'file', name: 'notes.txt' },
      });
      const { items } = await workspace.admin.query('links.list', { itemId, limit: 10, surface });
      const link = { id: linkId, fromItemId: itemId, toItemId: logCardId, type: 'attached_to' };
      expect(items).toMatchObject([{ ...link, confidence: 1, sourceKind: 'extracted', direction: 'out' }]);
    });

    it('keeps the file when the log card is forgotten, and drops the link', async () => {
      const { itemId } = await attach(logCardId);
      await workspace.admin.command('item.forget', { itemId: logCardId, surface: 'rest' });
      expect(await workspace.admin.query('item.get', { itemId, surface })).toMatchObject({ title: 'Notes' });
      expect((await workspace.admin.query('links.list', { itemId, limit: 10, surface })).items).toEqual([]);
    });

    it('refuses an item of another kind, and a log card that the caller may not see or that does not exist', async () => {
      const { itemId } = await workspace.store({ folderId });
      const elsewhere = workspace.scopedTo([workspace.inboxId]);
      const ids = async () =>
        (await workspace.admin.query('items.list', { limit: 50, surface })).items.map(({ id }) => id);
      const before = await ids();
      const refusals = [
        await errorOf(attach(itemId)),
        await errorOf(attach(uuidV7())),
        await errorOf(attach(logCardId, elsewhere)),
      ];
      const refused = { code: 'item.not_found', details: expect.objectContaining({ field: 'logCardId' }) };
      expect(refusals).toEqual([refused, refused, refused]);
      expect(await ids()).toEqual(before);
    });
  });
};
