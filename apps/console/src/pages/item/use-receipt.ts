import { useEffect, useState } from 'react';
import { asApiError, type ApiError } from '../../api/api-error.js';
import type { ReceiptState } from '../../api/types.js';
import { useApi } from '../../session/session.js';

const ASK_AGAIN_MS = 1_000;
const GIVE_UP_AFTER = 30;

/** Asks until the receipt is signed. It may not be known in the first moments, so a 404 counts only when it stays. */
export const useReceipt = (receiptId: string): { readonly state?: ReceiptState; readonly error?: ApiError } => {
  const api = useApi();
  const [answer, setAnswer] = useState<{ state?: ReceiptState; error?: ApiError }>({});
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let misses = 0;
    const again = (): void => {
      if (!isOver) timer = setTimeout(ask, ASK_AGAIN_MS);
    };
    const onAnswer = (state: ReceiptState): void => {
      setAnswer({ state });
      if (state.status === 'pending') again();
    };
    const onError = (thrown: unknown): void => {
      const error = asApiError(thrown);
      if (error.status === 404 && ++misses < GIVE_UP_AFTER) again();
      else setAnswer({ error });
    };
    const ask = (): void =>
      void api.get<ReceiptState>(`/receipts/${encodeURIComponent(receiptId)}`).then(onAnswer, onError);
    ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [api, receiptId]);
  return answer;
};
