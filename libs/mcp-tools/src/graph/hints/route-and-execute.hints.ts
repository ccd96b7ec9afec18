import type { Hint, ToolHints, Trace } from '../../hint.js';
import { commonFailure } from './common.hints.js';

interface Answer {
  readonly strategy: string;
  /** The result of the direct call of the chosen tool, including the tool's own hint if it found nothing. */
  readonly result: Readonly<Record<string, unknown>>;
}

/**
 * Repeats the chosen tool's trail, with the rule that chose the tool. The time of the query is never part of the text.
 */
export const routeAndExecuteHints: ToolHints<unknown, Answer> = {
  empty: ({ structured: { strategy, result }, trace: { traced, ...trace } }) =>
    result['hint'] === undefined
      ? undefined
      : {
          hint: result['hint'] as Hint,
          trace: { strategy, ...trace, ...(result['trace'] as Trace) },
          traced: `routed to ${strategy}; ${String(traced)}`,
        },
  error: ({ args, error }) =>
    commonFailure({ tool: 'carabase_route_and_execute', args, error, trace: { query: args['query'] } }),
};
