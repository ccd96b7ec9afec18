import type { CommandResult, EdgeVerdict } from '@cairn/contracts';
import type { RestCall } from './rest-request.js';

type Reviewed = CommandResult<'edge.review'>;

/**
 * A command judges a bounded number of chunks; one is sent for each page of them. The pages do not depend on the verdicts,
 * which the graph shows a little later than they are recorded.
 */
export const reviewEdge = async (call: RestCall, edgeId: string, verdict: EdgeVerdict): Promise<Reviewed> => {
  const judge = async (after: string | undefined, last: Reviewed | undefined): Promise<Reviewed> => {
    const { evidence, next } = await call.cairn.query('edge.locate', { edgeId, ...(after !== undefined && { after }) });
    if (last && evidence.length === 0) return last;
    const cairn = after === undefined ? call.cairn : call.part(`review after ${after}`);
    const done = await cairn.command('edge.review', { edgeId, evidence: [...evidence], verdict });
    return next === undefined ? done : judge(next, done);
  };
  return judge(undefined, undefined);
};
