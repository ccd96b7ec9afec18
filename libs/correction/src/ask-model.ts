import { CORRECTION_ANSWER_BYTES_MAX, CORRECTION_MODEL_TIMEOUT_MS, fail } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';
import type { z } from 'zod';
import { tooLong } from './usable-proposal.js';

export interface ModelQuestion {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  ZodError: 'its answer is not that of a chat endpoint',
  SyntaxError: 'its answer is not JSON',
  TimeoutError: 'it did not answer in time',
  AbortError: 'Cairn is stopping',
};

/** Names only the variable and the failure: never the server's answer or its address, which may hold secrets. */
const unavailable = (cause: unknown): AppError => {
  const { name, message } = cause as Error;
  const reason = REASONS[name] ?? (message.startsWith('it answered') ? message : 'it cannot be reached');
  return fail(
    'correction.unavailable',
    `the correction model at CORRECTION_URL is not available: ${reason}`,
    {},
    cause,
  );
};

const textOf = async (response: Response): Promise<string> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.byteLength;
    if (bytes > CORRECTION_ANSWER_BYTES_MAX) throw tooLong();
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
};

/**
 * One request to a model's HTTP endpoint: limited in time and size, never redirected, with one error for every failure.
 */
export const askModel = async <S extends z.ZodType>(question: ModelQuestion, answer: S): Promise<z.infer<S>> => {
  const timeout = AbortSignal.timeout(question.timeoutMs ?? CORRECTION_MODEL_TIMEOUT_MS);
  try {
    const response = await fetch(question.url, {
      method: 'POST',
      redirect: 'manual',
      signal: question.signal ? AbortSignal.any([timeout, question.signal]) : timeout,
      headers: { 'content-type': 'application/json', ...question.headers },
      body: JSON.stringify(question.body),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`it answered with status ${response.status}`);
    }
    return answer.parse(JSON.parse(await textOf(response)));
  } catch (thrown) {
    throw thrown instanceof AppError ? thrown : unavailable(thrown);
  }
};
