import { CANDIDATE_MATCHES } from '@cairn/contracts';
import { quote, type ToolHints } from '../../hint.js';
import type { FindEntityCandidatesAnswer, FindEntityCandidatesArgs } from '../find-entity-candidates.tool.js';
import { commonFailure, nextCall } from './common.hints.js';

const TOOL = 'carabase_find_entity_candidates';

export const findEntityCandidatesHints: ToolHints<FindEntityCandidatesArgs, FindEntityCandidatesAnswer> = {
  empty: ({ args, structured }) => {
    if (structured.candidates.length > 0) return undefined;
    const [first, ...more] = args.text.trim().split(/\s+/u);
    return {
      hint: {
        kind: 'candidatesNoResults',
        message: `No entity has a name like ${quote(args.text)}. Try one word of it, or look for the topic by meaning instead.`,
        next: [
          ...(more.length > 0 ? [nextCall(TOOL, { text: first })] : []),
          nextCall('carabase_search_semantic', { query: args.text }),
        ],
      },
      trace: { text: args.text, tried: [...CANDIDATE_MATCHES], found: 0 },
      traced: `looked for ${quote(args.text)} as ${CANDIDATE_MATCHES.join(', ')} → 0 candidates`,
    };
  },
  error: ({ args, error }) => {
    const asked = args['text'] ?? args['name'];
    return commonFailure({
      tool: TOOL,
      args,
      error,
      trace: { text: asked },
      next: typeof asked === 'string' && asked !== '' ? [nextCall('carabase_search_semantic', { query: asked })] : [],
    });
  },
};
