import { describe, expect, it } from '@jest/globals';
import { describeCorrectionProposer } from './correction-proposer.contract.js';
import { RulesProposer } from './rules-proposer.js';

describeCorrectionProposer('RulesProposer', () =>
  Promise.resolve({ proposer: new RulesProposer(), says: () => undefined, close: () => Promise.resolve() }),
);

describe('RulesProposer', () => {
  it('lists the supported forms when no rule fits', async () => {
    const request = { text: 'The sky is blue.', instruction: 'please improve this' };
    await expect(new RulesProposer().propose(request)).rejects.toMatchObject({
      code: 'correction.no_rule',
      kind: 'rule',
      message: expect.stringContaining('"replace A with B", "rename A to B", "A is now B"'),
    });
  });
});
