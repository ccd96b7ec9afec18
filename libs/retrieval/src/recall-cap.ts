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
  /** The folder's own cap; null means the cap of its tier. */
  readonly cap: number | null;
  readonly tokens: number;
}

/**
 * Applies each folder's cap to its own chunks, best first. The first chunk that does not fit ends its folder: otherwise
 * a smaller chunk further down would replace one that scored higher.
 */
export const withinCaps = <T extends Capped>(ranked: readonly T[]): readonly T[] => {
  const left = new Map<string, number>();
  return ranked.filter(({ graph, tier, cap, tokens }) => {
    const rest = (left.get(graph) ?? cap ?? CAP_OF_TIER[tier]) - tokens;
    left.set(graph, rest < 0 ? -1 : rest);
    return rest >= 0;
  });
};
