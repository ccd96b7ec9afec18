import { createContext, use, useMemo, useState, type ReactNode } from 'react';

/** The outcome of the last decision about a memory. */
export type Outcome =
  | { readonly kind: 'stored'; readonly itemId: string; readonly folder: string }
  | { readonly kind: 'discarded'; readonly id: string };

interface OutcomeState {
  readonly outcome: Outcome | undefined;
  readonly setOutcome: (outcome: Outcome | undefined) => void;
}

const OutcomeContext = createContext<OutcomeState | undefined>(undefined);

/** A decision is made in the banner or on a page; its outcome is shown in one place. */
export const OutcomeProvider = ({ children }: { readonly children: ReactNode }) => {
  const [outcome, setOutcome] = useState<Outcome>();
  const state = useMemo(() => ({ outcome, setOutcome }), [outcome]);
  return <OutcomeContext value={state}>{children}</OutcomeContext>;
};

export const useOutcome = (): OutcomeState => {
  const state = use(OutcomeContext);
  if (!state) throw new Error('there is no OutcomeProvider above');
  return state;
};
