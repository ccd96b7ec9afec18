import { useEffect, useState } from 'react';
import { asApiError, type ApiError } from '../../api/api-error.js';
import type { AnswerTo } from '../../api/answers.js';
import { useApi } from '../../session/session.js';

type Receipt = AnswerTo<'GET /receipts/{id}'>;

const ASK_AGAIN_MS = 1_000;
const GIVE_UP_AFTER = 30;

/**
 * Polls until the receipt is signed. The receipt may not exist in the first moments, so a 404 only counts if it
 * persists.
 */
export const useReceipt = (receiptId: string): { readonly state?: Receipt; readonly error?: ApiError } => {
  const api = useApi();
  const [answer, setAnswer] = useState<{ state?: Receipt; error?: ApiError }>({});
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let misses = 0;
    const again = (): void => {
      if (!isOver) timer = setTimeout(ask, ASK_AGAIN_MS);
    };
    const onAnswer = (state: Receipt): void => {
      setAnswer({ state });
      if (state.status === 'pending') again();
    };
    const onError = (thrown: unknown): void => {
      const error = asApiError(thrown);
      if (error.status === 404 && ++misses < GIVE_UP_AFTER) again();
      else setAnswer({ error });
    };
    const ask = (): void => void api.call('GET /receipts/{id}', { id: receiptId }).then(onAnswer, onError);
    ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [api, receiptId]);
  return answer;
};
