import { beforeAll, describe, expect, it } from '@jest/globals';
import { connect, ERAS, newToken, newWorkspace, rest, storeItem } from './under-test.js';

let admin: string;
const stored: Record<string, { readonly id: string; readonly chunkIds: readonly string[] }> = {};

const TEXTS = {
  supports: 'The lantern build takes 20 minutes on the small runner.',
  denies: 'The walrus flag is disabled in production.',
  yes: 'Alice Chen works at Meridian Labs.',
  no: 'Alice Chen no longer works at Meridian Labs.',
};

beforeAll(async () => {
  admin = (await newWorkspace()).token;
  for (const [name, text] of Object.entries(TEXTS)) stored[name] = await storeItem(admin, { title: name, text });
}, 60_000);

const verify = async (args: object, era?: string, token = admin): Promise<any> => {
  const client = await connect(token, era);
  try {
    return await client.call('carabase_verify_hypothesis', args as Record<string, unknown>);
  } finally {
    await client.close();
  }
};

describe.each(ERAS)('carabase_verify_hypothesis in the %s', (era) => {
  it('[C-55] [C-56] corroborates a claim, with the sentence and its location', async () => {
    const { structuredContent, content } = await verify({ claim: 'The lantern build takes 20 minutes.' }, era);
    expect(structuredContent).toEqual({
      verdict: 'corroborated',
      corroborated_by: [
        {
          artifact: `carabase://artifact/${stored['supports']!.id}`,
          memory_id: stored['supports']!.id,
          chunk_id: stored['supports']!.chunkIds[0],
          sentence: TEXTS.supports,
          score: 1,
          reasons: ['coverage'],
          position: expect.any(Number),
        },
      ],
      contradicted_by: [],
      considered: 1,
    });
    expect(content[0]!.text).toMatch(/^Verdict: corroborated/);
  });

  it('[C-54] [C-55] contradicts, and weighs both sides', async () => {
    const contradicted = await verify({ claim: 'The walrus flag is enabled.' }, era);
    expect(contradicted.structuredContent).toMatchObject({
      verdict: 'contradicted',
      contradicted_by: [{ memory_id: stored['denies']!.id, reasons: ['antonym'] }],
    });
    const mixed = await verify({ claim: 'Alice Chen works at Meridian Labs.' }, era);
    expect(mixed.structuredContent).toMatchObject({
      verdict: 'mixed',
      corroborated_by: [{ memory_id: stored['yes']!.id }],
      contradicted_by: [{ memory_id: stored['no']!.id, reasons: ['polarity'] }],
    });
  });

  it('[C-55] is inconclusive about anything that is not stored, and suggests what to try', async () => {
    const { structuredContent, content } = await verify({ claim: 'Zebras juggle marmalade.' }, era);
    expect(structuredContent).toMatchObject({
      verdict: 'inconclusive',
      considered: 0,
      hint: { kind: 'hypothesisNothingFound' },
    });
    expect(content.at(-1)!.text).toMatch(/^\[hint: .*\]\n\[trace: .*\]$/);
  });

  it('[C-57] gives the same answer to the same call', async () => {
    const claim = 'Alice Chen works at Meridian Labs.';
    const [first, second] = [await verify({ claim }, era), await verify({ claim }, era)];
    expect(first.structuredContent).toEqual(second.structuredContent);
  });

  it('[C-58] accepts an optional limit of 1 to 20', async () => {
    const claim = 'The lantern build takes 20 minutes.';
    expect((await verify({ claim, limit: 1 }, era)).structuredContent.verdict).toBe('corroborated');
    for (const limit of [0, 21]) {
      const { isError, structuredContent } = await verify({ claim, limit }, era);
      expect({ isError, field: structuredContent.field }).toEqual({ isError: true, field: 'limit' });
    }
  });
});

it('weighs only what the token may see', async () => {
  const folder = await rest(admin, 'POST', '/folders', { slug: 'elsewhere', name: 'Elsewhere' });
  const token = await newToken(admin, { scopes: ['graph:read'], isUnscoped: false, folderIds: [folder.body.id] });
  const { structuredContent } = await verify({ claim: 'The lantern build takes 20 minutes.' }, undefined, token);
  expect(structuredContent).toMatchObject({ verdict: 'inconclusive', considered: 0 });
});
