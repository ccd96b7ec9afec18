import { fail } from '@cairn/contracts';
import { proposeByRules } from '@cairn/domain';
import type { CorrectionProposer, CorrectionRequest } from './correction-proposer.port.js';
import { usableProposal } from './usable-proposal.js';

const WHAT_IT_CAN =
  'no rule fits this proposal and this text. Name words as they stand in the text: "changed from A to B", ' +
  '"replace A with B", "rename A to B", "A is now B", "should be B instead of A", "not A but B"';

/** Without a model: replacements, renamings, new values and negations that the words state outright. */
export class RulesProposer implements CorrectionProposer {
  propose({ text, instruction }: CorrectionRequest): Promise<string> {
    return Promise.resolve().then(() => {
      const proposed = proposeByRules(text, instruction);
      if (proposed === undefined) throw fail('correction.no_rule', WHAT_IT_CAN, { field: 'instruction' });
      return usableProposal(text, proposed);
    });
  }
}
