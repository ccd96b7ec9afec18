import { fail } from '@cairn/contracts';
import { proposeByRules } from '@cairn/domain';
import type { CorrectionProposer, CorrectionRequest } from './correction-proposer.port.js';
import { usableProposal } from './usable-proposal.js';

const WHAT_IT_CAN =
  'no rule fits this proposal and this text, or it could mean several things. Give the whole corrected text in newText, ' +
  'or name words as they stand in the text: "changed from A to B", "replace A with B", "rename A to B", "A is now B", ' +
  '"update A to B", "B, not A", "A is wrong, it is B", "should be B instead of A", "add: a sentence", ' +
  '"remove the sentence about A"';

/** Works without a model: applies changes that the instruction states explicitly. */
export class RulesProposer implements CorrectionProposer {
  propose({ text, instruction }: CorrectionRequest): Promise<string> {
    return Promise.resolve().then(() => {
      const proposed = proposeByRules(text, instruction);
      if (proposed === undefined) throw fail('correction.no_rule', WHAT_IT_CAN, { field: 'instruction' });
      return usableProposal(text, proposed);
    });
  }
}
