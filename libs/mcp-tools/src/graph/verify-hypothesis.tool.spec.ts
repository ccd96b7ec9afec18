import { describe, expect, it } from '@jest/globals';
import { graphToolsOn, trailerOf } from './graph-tools.harness.js';

const TOOL = 'carabase_verify_hypothesis';

const filled = async () => {
  const tools = graphToolsOn();
  await tools.call('store_knowledge', { title: 'Staff', body: 'Nora Lind leads the harbour project.' });
  await tools.call('store_knowledge', { title: 'Plan', body: 'Nora Lind might lead the harbour project.' });
  return tools;
};

describe('carabase_verify_hypothesis', () => {
  it('[C-55] has no hint where the verdict has evidence', async () => {
    const { structuredContent } = await (await filled()).call(TOOL, { claim: 'Nora Lind leads the harbour project.' });
    expect(structuredContent).toMatchObject({ verdict: 'corroborated' });
    expect(structuredContent.hint).toBeUndefined();
  });

  it('[C-72] has a hint where sentences are about the claim and none decides, and the suggested call works', async () => {
    const { call } = await filled();
    const claim = 'Nora Lind';
    const empty = await call(TOOL, { claim });
    const { verdict, considered, hint, trace } = empty.structuredContent;
    expect({ verdict, considered }).toEqual({ verdict: 'inconclusive', considered: 2 });
    expect(hint).toEqual({
      kind: 'hypothesisUndecided',
      message: expect.stringMatching(/^2 sentences are about it, none states or denies it\. /),
      next: [{ tool: 'carabase_search_semantic', arguments: { query: claim, min_similarity: 0 } }],
    });
    expect(trace).toEqual({ candidates: 2, considered: 2, relevant: 0, neutral: 2 });
    expect(trailerOf(empty)).toMatch(
      /^\[hint: 2 sentences .*\]\n\[trace: read 2 chunks for "Nora Lind" → 2 considered, none decides\]$/,
    );
    expect(await call(TOOL, { claim })).toEqual(empty);
    const [next] = hint.next;
    expect((await call(next.tool, next.arguments)).structuredContent.hits).toHaveLength(2);
  });

  it('[C-72] has another hint where nothing is about the claim', async () => {
    const { structuredContent } = await (await filled()).call(TOOL, { claim: 'Zebras juggle marmalade.' });
    expect(structuredContent).toMatchObject({ considered: 0, hint: { kind: 'hypothesisNothingFound' } });
  });
});
