import { beforeEach, describe, expect, it } from '@jest/globals';
import { TestWorkspace, type OpenCairn } from './cairn-workspace.builder.js';

export const describeClaims = (open: OpenCairn): void => {
  let workspace: TestWorkspace;
  const verify = (claim: string, limit = 8, port = workspace.admin) => port.query('claims.verify', { claim, limit });
  const store = (text: string, more: object = {}) => workspace.store({ title: 'A note', text, ...more });

  beforeEach(async () => {
    workspace = await TestWorkspace.create(open);
  });

  describe('claims.verify', () => {
    it('[C-54] [C-55] [C-56] weighs corroborating against contradicting evidence', async () => {
      const supporting = await store('The harbour deploy takes 20 minutes.');
      expect(await verify('The harbour deploy takes 20 minutes.')).toMatchObject({
        verdict: 'corroborated',
        corroboratedBy: [
          {
            itemId: supporting.itemId,
            chunkId: supporting.chunkIds[0],
            sentence: 'The harbour deploy takes 20 minutes.',
            score: 1,
            reasons: ['coverage'],
          },
        ],
        contradictedBy: [],
        considered: 1,
      });
      const denying = await store('The harbour deploy takes 45 minutes.');
      const { verdict, contradictedBy, considered } = await verify('The harbour deploy takes 20 minutes.');
      expect({ verdict, considered }).toEqual({ verdict: 'mixed', considered: 2 });
      expect(contradictedBy).toMatchObject([{ itemId: denying.itemId, reasons: ['number'] }]);
      expect((await verify('The harbour deploy takes 45 hours.')).verdict).toBe('inconclusive');
    });

    it('reads no more chunks than the limit', async () => {
      for (const place of ['in Oslo', 'in Bergen', 'by the sea'])
        await store(`Alice Chen works at Meridian Labs ${place}.`);
      for (const limit of [1, 2])
        expect(await verify('Alice Chen works at Meridian Labs.', limit)).toMatchObject({
          considered: limit,
          candidates: limit,
        });
    });

    it('is inconclusive about a subject that is not stored', async () => {
      expect(await verify('The moon is made of cheese.')).toMatchObject({
        verdict: 'inconclusive',
        corroboratedBy: [],
        contradictedBy: [],
        considered: 0,
      });
    });

    it('does not see the texts of another workspace', async () => {
      await store('The harbour deploy takes 20 minutes.');
      const other = await TestWorkspace.create(open);
      expect(await verify('The harbour deploy takes 20 minutes.', 8, other.admin)).toMatchObject({ considered: 0 });
    });
  });
};
