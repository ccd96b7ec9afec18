/**
 * Proposes a corrected text: the CorrectionProposer port, its adapters (rules, Ollama, any OpenAI-compatible endpoint)
 * and the choice between them. Never stores or applies anything, and never falls back to an adapter other than the
 * configured one.
 */
export { correctionConfig, correctionEnv, DEFAULT_MODEL, type CorrectionConfig } from './correction-env.js';
export { type CorrectionProposer, type CorrectionRequest } from './correction-proposer.port.js';
export { givenText } from './given-text.js';
export { OllamaProposer } from './ollama-proposer.js';
export { openCorrectionProposer } from './open-correction-proposer.js';
export { OpenAiProposer } from './openai-proposer.js';
export { RulesProposer } from './rules-proposer.js';
