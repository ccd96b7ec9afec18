import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, TestWorkspace, type OpenCairn } from './cairn-workspace.builder.js';

/** A Tuesday. */
const NOW = '2026-11-17T10:00:00.000Z';

export const describeRoute = (open: OpenCairn): void => {
  let workspace: TestWorkspace;
  const plan = (query: string, port = workspace.admin) => port.query('route.plan', { query, now: NOW });
  const state = (subject: string, object: string, folderId = workspace.inboxId) =>
    workspace.admin.command('edge.observe', {
      folderId,
      text: `${subject} works at ${object}.`,
      edges: [{ subject, predicate: 'works_at', object }],
      surface: 'rest',
    });

  beforeEach(async () => {
    workspace = await TestWorkspace.create(open);
  });

  describe('route.plan', () => {
    it('routes a time to metadata, as days in UTC, and anything else to meaning', async () => {
      expect(await plan('what did I write last Tuesday?')).toMatchObject({
        strategy: 'metadata',
        rule: 'time',
        arguments: { filters: { date_from: '2026-11-10', date_to: '2026-11-10' } },
      });
      const query = 'how are lamps trimmed?';
      expect(await plan(query)).toMatchObject({ strategy: 'semantic', rule: 'meaning', arguments: { query } });
    });

    it('routes the name of a folio that the caller may see to metadata', async () => {
      const folderId = await workspace.folder('night-watch', { name: 'Night watch' });
      await workspace.folder('vault', { name: 'Vault', tier: 'sensitive' });
      const asked = 'list notes in folio Night watch';
      expect(await plan(asked)).toMatchObject({ strategy: 'metadata', arguments: { filters: { folio_id: folderId } } });
      expect((await plan(asked, workspace.scopedTo([workspace.inboxId]))).strategy).toBe('semantic');
      expect((await plan('list notes in folio Vault')).strategy).toBe('semantic');
    });

    it('routes a relation of a name that the caller may see to the graph', async () => {
      const folderId = await workspace.folder('hidden');
      await state('Ada Quill', 'Norwood Labs', folderId);
      const found = await eventually(
        () => plan('who works at Norwood Labs?'),
        ({ strategy }) => strategy === 'graph',
      );
      expect(found.arguments).toEqual({ start_entity: 'Norwood Labs', depth: 1 });
      const other = workspace.scopedTo([workspace.inboxId], { scopes: ['graph:read'] });
      expect((await plan('who works at Norwood Labs?', other)).strategy).toBe('semantic');
      expect((await plan('who works at Elsewhere Labs?')).strategy).toBe('semantic');
    });

    it('gives the same plan for the same query at the same time', async () => {
      await state('Ada Quill', 'Norwood Labs');
      for (const query of ['notes from last week', 'why do lamps smoke?'])
        expect(await plan(query)).toEqual(await plan(query));
    });
  });
};
