import { CHUNK_TOKENS_MAX } from '@cairn/contracts';
import { z } from 'zod';
import { askModel } from './ask-model.js';
import { chatPrompt, passageOf } from './chat-prompt.js';
import type { CorrectionProposer, CorrectionRequest } from './correction-proposer.port.js';
import { tooLong, usableProposal } from './usable-proposal.js';

export interface OpenAiOptions {
  /** The address of the server, of its API (`…/v1`), or of its chat endpoint. */
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  readonly timeoutMs?: number;
}

/** Models count tokens differently from Cairn; twice the limit holds every text that fits. */
const ANSWER_TOKENS_MAX = 2 * CHUNK_TOKENS_MAX;

const Answer = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string() }), finish_reason: z.string().nullish() }))
    .min(1),
});

const endpointOf = (url: string): string => {
  const base = url.replace(/\/+$/, '');
  if (base.endsWith('/chat/completions')) return base;
  return `${base}${/\/v\d+$/.test(base) ? '' : '/v1'}/chat/completions`;
};

/** Any endpoint with OpenAI's chat API. */
export class OpenAiProposer implements CorrectionProposer {
  constructor(private readonly options: OpenAiOptions) {}

  async propose(request: CorrectionRequest): Promise<string> {
    const { url, model, apiKey, timeoutMs } = this.options;
    const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    const body = { model, messages: chatPrompt(request), temperature: 0, max_tokens: ANSWER_TOKENS_MAX };
    const question = { url: endpointOf(url), headers, body, signal: request.signal, timeoutMs };
    const [choice] = (await askModel(question, Answer)).choices;
    if (choice!.finish_reason === 'length') throw tooLong();
    return usableProposal(request.text, passageOf(choice!.message.content, request.text));
  }
}
