import { CHUNK_TOKENS_MAX } from '@cairn/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CorrectionProposer } from './correction-proposer.port.js';

export interface ProposerHarness {
  readonly proposer: CorrectionProposer;
  /** Makes the model give this answer to the next request; a rules proposer has no model. */
  says(answer: string): void;
  close(): Promise<void>;
}

/** The contract of every proposer. The instructions state the change explicitly, so that rules can apply them too. */
export const describeCorrectionProposer = (name: string, open: () => Promise<ProposerHarness>): void => {
  describe(`${name} as a CorrectionProposer`, () => {
    let harness: ProposerHarness;
    beforeAll(async () => {
      harness = await open();
    });
    afterAll(() => harness.close());

    const propose = (text: string, instruction: string, answer: string): Promise<string> => {
      harness.says(answer);
      return harness.proposer.propose({ text, instruction });
    };

    it('[N-38] [N-47] proposes the published text for the published example', async () => {
      const instruction = 'The endpoint changed from /v1/search to /v2/query in March 2025.';
      const proposed = 'The API endpoint is /v2/query.';
      expect(await propose('The API endpoint is /v1/search.', instruction, proposed)).toBe(proposed);
    });

    it('keeps the whitespace at both ends, which belongs to the chunk', async () => {
      const proposed = await propose('\n\n  We use Jenkins. \n', 'replace Jenkins with Drone', 'We use Drone.');
      expect(proposed).toBe('\n\n  We use Drone. \n');
    });

    it('normalises the proposed text', async () => {
      const decomposed = 'Cafe\u0301'.normalize('NFD');
      expect(await propose('We meet at Tea.', `replace Tea with ${decomposed}`, `We meet at ${decomposed}.`)).toBe(
        'We meet at Caf\u00e9.',
      );
    });

    it('refuses a text that does not fit a chunk, with the limit', async () => {
      const many = 'word '.repeat(50).trim();
      const text = 'a x '.repeat(12);
      await expect(propose(text, `replace x with ${many}`, text.replaceAll('x', many))).rejects.toMatchObject({
        code: 'correction.too_long',
        details: { limit: CHUNK_TOKENS_MAX },
      });
    });

    it('refuses a proposal that changes nothing', async () => {
      await expect(propose('The port is 8443.', 'The port is now 8443', 'The port is 8443.')).rejects.toMatchObject({
        code: expect.stringMatching(/^correction\.(no_rule|unusable)$/),
        kind: 'rule',
        details: { field: 'instruction' },
      });
    });
  });
};
