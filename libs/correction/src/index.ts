/**
 * Proposes how a text reads after an instruction was carried out: the CorrectionProposer port and its adapters (rules,
 * Ollama, any OpenAI-compatible endpoint), the choice between them.
 * Refuses to store or apply anything, and to fall back to another adapter than the one that was asked for.
 */
export { correctionConfig, correctionEnv, DEFAULT_MODEL, type CorrectionConfig } from './correction-env.js';
export { type CorrectionProposer, type CorrectionRequest } from './correction-proposer.port.js';
export { givenText } from './given-text.js';
export { OllamaProposer } from './ollama-proposer.js';
export { openCorrectionProposer } from './open-correction-proposer.js';
export { OpenAiProposer } from './openai-proposer.js';
export { RulesProposer } from './rules-proposer.js';
