import { useAction } from '../api/use-load.js';
import type { Confirmation, Decision } from '../api/answers.js';
import { useApi } from '../session/session.js';
import { useLive } from './live.js';
import { useOutcome } from './outcome.js';

/** Decides a waiting memory. The lists are reloaded in any case, because another user may have decided it first. */
export const useDecide = ({ id, suggestedName }: Confirmation) => {
  const api = useApi();
  const { reloadConfirmations } = useLive();
  const { setOutcome } = useOutcome();
  return useAction(async (decision: Decision, folder: string = suggestedName) => {
    setOutcome(undefined);
    try {
      const decided = await api.call('POST /confirmations/{id}', { id, body: decision });
      setOutcome('itemId' in decided ? { kind: 'stored', itemId: decided.itemId, folder } : { kind: 'discarded', id });
    } finally {
      reloadConfirmations();
    }
  });
};

/** Undoes a discard. */
export const useRestore = (id: string) => {
  const api = useApi();
  const { reloadConfirmations } = useLive();
  const { setOutcome } = useOutcome();
  return useAction(async () => {
    try {
      await api.call('POST /confirmations/{id}', { id, body: { action: 'restore' } });
      setOutcome(undefined);
    } finally {
      reloadConfirmations();
    }
  });
};
