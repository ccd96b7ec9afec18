import { quote, type Hint, type ToolHints } from '../../hint.js';
import { commonFailure, nextCall } from './common.hints.js';

interface Args {
  readonly claim: string;
}

interface Answer {
  readonly verdict: string;
  readonly considered: number;
}

const nothingFound = (claim: string): Omit<Hint, 'next'> => ({
  kind: 'hypothesisNothingFound',
  message: `Nothing stored speaks of ${quote(claim)}. State one fact per claim, with the names as they were written, or search by meaning first.`,
});

const undecided = (considered: number): Omit<Hint, 'next'> => ({
  kind: 'hypothesisUndecided',
  message:
    (considered === 1
      ? '1 sentence is about it and neither states nor denies it. '
      : `${considered} sentences are about it, none states or denies it. `) +
    'State one fact per claim in a whole sentence, or search by meaning and read the passages.',
});

export const verifyHypothesisHints: ToolHints<Args, Answer> = {
  // An inconclusive verdict has no evidence on either side, so the answer is empty.
  empty: ({ args: { claim }, structured: { verdict, considered }, trace }) =>
    verdict !== 'inconclusive'
      ? undefined
      : {
          hint: {
            ...(considered === 0 ? nothingFound(claim) : undecided(considered)),
            next: [nextCall('carabase_search_semantic', { query: claim, min_similarity: 0 })],
          },
          trace,
          traced: `read ${Number(trace['candidates'] ?? 0)} chunks for ${quote(claim)} → ${considered} considered${considered === 0 ? '' : ', none decides'}`,
        },
  error: ({ args, error }) =>
    commonFailure({ tool: 'carabase_verify_hypothesis', args, error, trace: { claim: args['claim'] } }),
};
