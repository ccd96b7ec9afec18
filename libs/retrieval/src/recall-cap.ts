import {
  TOKENS_PER_RECALL_PERSONAL,
  TOKENS_PER_RECALL_PUBLIC,
  TOKENS_PER_RECALL_SENSITIVE,
  type Tier,
} from '@cairn/contracts';

const CAP_OF_TIER: Readonly<Record<Tier, number>> = {
  public: TOKENS_PER_RECALL_PUBLIC,
  personal: TOKENS_PER_RECALL_PERSONAL,
  sensitive: TOKENS_PER_RECALL_SENSITIVE,
};

export interface Capped {
  readonly graph: string;
  readonly tier: Tier;
  /** The folder's own cap; null is the one of its tier. */
  readonly cap: number | null;
  readonly tokens: number;
}

/**
 * Each folder's cap on its own chunks, best first. The first chunk that does not fit ends its folder: a smaller
 * one further down would stand there in place of one that scored higher.
 */
export const withinCaps = <T extends Capped>(ranked: readonly T[]): readonly T[] => {
  const left = new Map<string, number>();
  return ranked.filter(({ graph, tier, cap, tokens }) => {
    const rest = (left.get(graph) ?? cap ?? CAP_OF_TIER[tier]) - tokens;
    left.set(graph, rest < 0 ? -1 : rest);
    return rest >= 0;
  });
};
