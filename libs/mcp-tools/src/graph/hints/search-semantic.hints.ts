import { quote, type ToolHints } from '../../hint.js';
import { twoDecimals } from '../../hit-list.js';
import type { SearchSemanticAnswer, SearchSemanticArgs } from '../search-semantic.tool.js';
import { commonFailure, nextCall } from './common.hints.js';

const TOOL = 'carabase_search_semantic';

/** Rounded down, so that a call with this value finds the best hit. */
const floored = (similarity: number): number => Math.max(0, Math.floor(similarity * 100) / 100);

const messageOf = (args: SearchSemanticArgs, best: number | undefined): string => {
  if (best === undefined)
    return 'Nothing is stored that this token may search. Store something first, or use a token with more folders.';
  return best > 0
    ? `No passage reaches ${args.min_similarity}; the nearest has ${twoDecimals(best)}. Lower min_similarity, or describe the content instead of asking a question.`
    : 'No passage is near in meaning. Use other words, or look for a name or a date instead.';
};

export const searchSemanticHints: ToolHints<SearchSemanticArgs, SearchSemanticAnswer> = {
  empty: ({ args, structured, trace }) => {
    if (structured.hits.length > 0) return undefined;
    const { query, k, min_similarity } = args;
    const best = typeof trace['best'] === 'number' ? trace['best'] : undefined;
    const next = best !== undefined && best > 0 ? [nextCall(TOOL, { query, k, min_similarity: floored(best) })] : [];
    const was = best === undefined ? '' : `; best was ${twoDecimals(best)}`;
    return {
      hint: { kind: 'semanticNoResults', message: messageOf(args, best), next },
      trace: { strategy: 'semantic', query, k, min_similarity, hits: 0, ...(best !== undefined && { best }) },
      traced: `searched semantic for ${quote(query)} → 0 hits at ≥ ${min_similarity}${was}`,
    };
  },
  error: ({ args, error }) =>
    commonFailure({ tool: TOOL, args, error, trace: { strategy: 'semantic', query: args['query'] } }),
};
