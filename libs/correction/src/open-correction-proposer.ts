import type { CorrectionConfig } from './correction-env.js';
import type { CorrectionProposer } from './correction-proposer.port.js';
import { OllamaProposer } from './ollama-proposer.js';
import { OpenAiProposer } from './openai-proposer.js';
import { RulesProposer } from './rules-proposer.js';

/** The configured proposer. If it is unavailable, no other replaces it. */
export const openCorrectionProposer = (config: CorrectionConfig): CorrectionProposer => {
  switch (config.provider) {
    case 'rules':
      return new RulesProposer();
    case 'ollama':
      return new OllamaProposer(config);
    case 'openai':
      return new OpenAiProposer(config);
  }
};
