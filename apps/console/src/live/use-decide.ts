import { useAction } from '../api/use-load.js';
import type { Confirmation, Decision } from '../api/types.js';
import { useApi } from '../session/session.js';
import { useLive } from './live.js';
import { useOutcome } from './outcome.js';

/** Decides a waiting memory. The lists are loaded again in any case: someone else may have been faster. */
export const useDecide = ({ id, suggestedName }: Confirmation) => {
  const api = useApi();
  const { reloadConfirmations } = useLive();
  const { setOutcome } = useOutcome();
  return useAction(async (decision: Decision, folder: string = suggestedName) => {
    setOutcome(undefined);
    try {
      const { itemId } = await api.send<{ itemId?: string }>('POST', `/confirmations/${id}`, decision);
      setOutcome(itemId === undefined ? { kind: 'discarded', id } : { kind: 'stored', itemId, folder });
    } finally {
      reloadConfirmations();
    }
  });
};

/** Takes a discard back. */
export const useRestore = (id: string) => {
  const api = useApi();
  const { reloadConfirmations } = useLive();
  const { setOutcome } = useOutcome();
  return useAction(async () => {
    try {
      await api.send('POST', `/confirmations/${id}`, { action: 'restore' } satisfies Decision);
      setOutcome(undefined);
    } finally {
      reloadConfirmations();
    }
  });
};
