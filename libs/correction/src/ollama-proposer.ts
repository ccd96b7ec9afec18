import { CHUNK_TOKENS_MAX } from '@cairn/contracts';
import { z } from 'zod';
import { askModel } from './ask-model.js';
import { chatPrompt, passageOf } from './chat-prompt.js';
import type { CorrectionProposer, CorrectionRequest } from './correction-proposer.port.js';
import { tooLong, usableProposal } from './usable-proposal.js';

export interface OllamaOptions {
  readonly url: string;
  readonly model: string;
  readonly timeoutMs?: number;
}

/** Models count tokens differently from Cairn; twice the limit holds every text that fits. */
const ANSWER_TOKENS_MAX = 2 * CHUNK_TOKENS_MAX;

const Answer = z.object({ message: z.object({ content: z.string() }), done_reason: z.string().optional() });

/** A model that Ollama runs, called through Ollama's own API. */
export class OllamaProposer implements CorrectionProposer {
  constructor(private readonly options: OllamaOptions) {}

  async propose(request: CorrectionRequest): Promise<string> {
    const { url, model, timeoutMs } = this.options;
    const body = {
      model,
      messages: chatPrompt(request),
      stream: false,
      options: { temperature: 0, num_predict: ANSWER_TOKENS_MAX },
    };
    const question = { url: `${url.replace(/\/+$/, '')}/api/chat`, body, signal: request.signal, timeoutMs };
    const { message, done_reason: ended } = await askModel(question, Answer);
    if (ended === 'length') throw tooLong();
    return usableProposal(request.text, passageOf(message.content, request.text));
  }
}
