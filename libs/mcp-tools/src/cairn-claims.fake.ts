import type { QueryAnswer, QueryData } from '@cairn/contracts';
import { analyseSentences } from '@cairn/extraction';
import { verifyClaim } from '@cairn/graph';
import { searchChunks } from './cairn-search.fake.js';
import type { QueryContext } from './cairn-answer.fake.js';

/** The product's rules over the chunks that share a word with the claim. */
export const verifyClaimInMemory = (
  context: QueryContext,
  { claim, limit }: QueryData<'claims.verify'>,
): QueryAnswer<'claims.verify'> => {
  const { hits } = searchChunks(context, { query: claim, limit, mode: 'hybrid', explain: false });
  const texts = hits.map((hit) => ({ hit, sentences: analyseSentences(hit.text) }));
  const [sentence] = analyseSentences(claim);
  if (!sentence)
    return {
      verdict: 'inconclusive',
      corroboratedBy: [],
      contradictedBy: [],
      considered: 0,
      candidates: 0,
      degraded: false,
      stale: false,
    };
  const { verdict, corroborating, contradicting, considered } = verifyClaim(sentence, texts);
  const shown = ({ text: { hit }, sentence: { text }, judgement }: (typeof corroborating)[number]) => ({
    itemId: hit.itemId,
    chunkId: hit.chunkId,
    folderId: hit.folderId,
    title: hit.title,
    sentence: text,
    score: judgement.score,
    reasons: judgement.reasons,
    position: 1,
  });
  return {
    verdict,
    corroboratedBy: corroborating.map(shown),
    contradictedBy: contradicting.map(shown),
    considered,
    candidates: hits.length,
    degraded: false,
    stale: false,
  };
};
