import { ConfigError } from '@cairn/kernel';
import { z } from 'zod';

/** The model that the published surface of `correct` names. */
export const DEFAULT_MODEL = 'llama3.2:3b-instruct-q4_K_M';
const OLLAMA_URL = 'http://127.0.0.1:11434';

const HttpUrl = z.url({
  protocol: /^https?$/,
  message: 'must be an http or https URL such as http://127.0.0.1:11434',
});

/** How corrections are proposed. */
export const correctionEnv = z.object({
  CORRECTION_PROVIDER: z
    .enum(['rules', 'ollama', 'openai'], { message: 'must be rules, ollama or openai' })
    .default('rules')
    .describe('How corrections are proposed: rules (no model), ollama, or openai (any OpenAI-compatible endpoint)'),
  CORRECTION_URL: HttpUrl.optional().describe(
    `Base address of the model for ollama (default ${OLLAMA_URL}) or openai (required)`,
  ),
  CORRECTION_MODEL: z.string().max(200).default(DEFAULT_MODEL).describe('The model to use at CORRECTION_URL'),
  CORRECTION_API_KEY: z.string().optional().describe('Bearer token for CORRECTION_URL with openai (secret)'),
});

export type CorrectionConfig =
  | { readonly provider: 'rules' }
  | { readonly provider: 'ollama'; readonly url: string; readonly model: string }
  | { readonly provider: 'openai'; readonly url: string; readonly model: string; readonly apiKey?: string | undefined };

/** Checks which variables belong together. A wrong combination stops the process at startup and names the variable. */
export const correctionConfig = (env: z.infer<typeof correctionEnv>): CorrectionConfig => {
  const { CORRECTION_PROVIDER: provider, CORRECTION_URL: url, CORRECTION_MODEL: model } = env;
  if (provider === 'rules') return { provider };
  if (provider === 'ollama') return { provider, url: url ?? OLLAMA_URL, model };
  if (url === undefined) {
    throw new ConfigError('Bad environment:\n  CORRECTION_URL: is required when CORRECTION_PROVIDER is openai');
  }
  return { provider, url, model, apiKey: env.CORRECTION_API_KEY };
};
