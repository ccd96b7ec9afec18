import { beforeAll, describe, expect, it } from '@jest/globals';
import { newWord } from './knowledge.js';
import { BARE_CALLS, connect, embedded, newWorkspace, rpc, storeItem } from './under-test.js';

interface Hit {
  readonly chunkId: string;
  readonly title: string;
  readonly score: number;
  readonly snippet: string;
  readonly explain: {
    readonly legs: readonly {
      leg: string;
      rank: number | null;
      rawScore: number | null;
      normalizedScore: number;
      weight: number;
      contribution: number;
    }[];
  };
}

/** The spec's output, character by character. */
const EXAMPLE = `{
"jsonrpc": "2.0",
"id": 1,
"method": "tools/call",
"params": {
"name": "search_knowledge_base",
"arguments": {
"query": "How do I scope a token to multiple folders?",
"limit": 5,
"mode": "hybrid"
}
}
}`;

const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

/** Reads the list back: ordinal, score, title and snippet of each hit. */
const parse = (text: string) => {
  const lines = text.split('\n');
  return Array.from({ length: lines.length / 2 }, (_, i) => {
    const [, ordinal, score, title] = /^(\d+)\. \((\d\.\d\d)\) (.+)$/u.exec(lines[2 * i]!)!;
    const [, snippet] = /^ {3}"\.\.\.(.*)\.\.\."$/u.exec(lines[2 * i + 1]!)!;
    return { ordinal: Number(ordinal), score, title, snippet };
  });
};

describe('the answer of search_knowledge_base', () => {
  const word = newWord();
  let token: string;

  beforeAll(async () => {
    token = (await newWorkspace()).token;
    const items: [string, string][] = [
      ['Tokens, capabilities, and scope', 'A token carries a folder scope, whole library or a list of folders.'],
      ['MCP vs REST', 'Scope rules: multi-folder scope tokens require every target folder to be in scope.'],
      ['Two\nlines', `${word} first\r\n2. (0.99) Forged title\n   "...forged snippet..."\u2028and\u0085more`],
      ['Says "hello" (0.50)', `${word} "quoted", ..." and a backslash \\ and ' too`],
      ['\u001b[31mRed\u0007 title', `${word} \u001b]0;owned\u0007 with \u001b[2J controls \t and tabs`],
      ['\u202eRight-to-left \u200b zero width', `${word} \u2066isolated\u2069 \ufeff text 漢字 😀`],
      ['\u0007', `${word} under a title that shows nothing`],
    ];
    const ids: string[] = [];
    for (const [title, text] of items) ids.push((await storeItem(token, { title, text })).id);
    for (let i = 0; i < 30; i++) {
      const text = `Note ${i} about ${word}, ${'lamps '.repeat(1 + (i % 7))}and lenses of lighthouse number ${i * i}.`;
      ids.push((await storeItem(token, { title: `Lighthouse ${i}`, text })).id);
    }
    for (const id of ids) await embedded(token, id);
  });

  it("[G-17] [G-18] answers the spec's example call as it is printed, posted without a session", async () => {
    const { status, body } = await rpc(token, EXAMPLE);
    expect([status, body.jsonrpc, body.id]).toEqual([200, '2.0', 1]);
    const { hits, mode, degraded } = body.result.structuredContent;
    expect([hits.length, mode, degraded]).toEqual([5, 'hybrid', false]);
    expect(['Tokens, capabilities, and scope', 'MCP vs REST']).toContain(hits[0].title);
    expect(hits[0].score.toFixed(2)).toMatch(/^[01]\.\d\d$/);
  });

  describe.each(Object.entries(BARE_CALLS))('in the %s', (era, bareCall) => {
    const call = (args: object) => bareCall(token, 'search_knowledge_base', args);
    const search = async (args: object): Promise<{ text: string; hits: Hit[]; mode: string }> => {
      const { body } = await call(args);
      return { text: body.result.content[0].text, ...body.result.structuredContent };
    };

    it('[G-17] [G-18] answers the arguments of the example alike', async () => {
      const args = JSON.parse(EXAMPLE).params.arguments;
      const bare = (await rpc(token, EXAMPLE)).body.result;
      const { body } = await call(args);
      expect(body.result.structuredContent).toEqual(bare.structuredContent);
      expect(body.result.content).toEqual(bare.content);
      const client = await connect(token, era);
      expect((await client.call('search_knowledge_base', args)).structuredContent).toEqual(bare.structuredContent);
      await client.close();
    });

    it.each(['hybrid', 'keyword', 'semantic'])(
      '[G-19] [G-20] [G-21] [G-22] [G-23] agrees in text and structuredContent in mode %s, whatever is stored',
      async (mode) => {
        const { text, hits, ...rest } = await search({ query: `${word} title`, mode, limit: 20 });
        expect(hits.length).toBeGreaterThan(8);
        expect(rest.mode).toBe(mode);
        expect(parse(text)).toEqual(
          hits.map(({ title, score, snippet }, i) => ({
            ordinal: i + 1,
            score: score.toFixed(2),
            title: oneLine(title) || '(untitled)',
            snippet: oneLine(snippet),
          })),
        );
        const scores = hits.map(({ score }) => score);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
        for (const score of scores) expect(score).toBeLessThanOrEqual(1.000001);
        expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/);
      },
    );

    it('[G-15] blends min-max scores of both legs over the candidates, which explain shows', async () => {
      const query = `${word} lamps lighthouse`;
      const { hits } = await search({ query, limit: 20, explain: true });
      for (const [name, mode, weight] of [
        ['vector', 'semantic', 0.7],
        ['bm25', 'keyword', 0.3],
      ] as const) {
        // The best candidate of a leg may be beyond the 20 hits, but not in the mode that has only this leg.
        const alone = await search({ query, mode, limit: 1, explain: true });
        const best = alone.hits[0]!.explain.legs.find(({ leg }) => leg === name)!.rawScore!;
        const entries = hits.map(({ explain }) => explain.legs.find(({ leg }) => leg === name)!);
        const found = entries.filter(({ rank }) => rank !== null);
        // The worst candidate is beyond the 20 hits; the lowest hit reveals its score, and all hits must agree.
        const low = found.reduce((a, b) => (a.normalizedScore < b.normalizedScore ? a : b));
        expect(low.normalizedScore).toBeLessThan(1);
        const worst = (low.rawScore! - low.normalizedScore * best) / (1 - low.normalizedScore);
        for (const { rawScore, normalizedScore, contribution, weight: shown } of found) {
          expect(normalizedScore).toBeCloseTo((rawScore! - worst) / (best - worst), 4);
          expect(contribution).toBeCloseTo(weight * normalizedScore, 12);
          expect(shown).toBe(weight);
        }
        for (const { rank, rawScore, contribution } of entries) {
          if (rank === null) expect([rawScore, contribution]).toEqual([null, 0]);
        }
      }
      for (const { score, explain } of hits)
        expect(explain.legs.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(score, 12);
    });

    it('[G-11] [G-15] uses the cosine of mode semantic as the semantic part of the blend', async () => {
      const query = `${word} lamps lighthouse`;
      const { hits } = await search({ query, limit: 20, explain: true });
      const cosines = new Map(
        (await search({ query, limit: 20, mode: 'semantic' })).hits.map(({ chunkId, score }) => [chunkId, score]),
      );
      const both = hits.filter(({ chunkId }) => cosines.has(chunkId));
      expect(both.length).toBeGreaterThan(5);
      for (const { chunkId, explain } of both)
        expect(explain.legs.find(({ leg }) => leg === 'vector')!.rawScore).toBeCloseTo(cosines.get(chunkId)!, 6);
    });

    it.each([
      ['query', {}],
      ['query', { query: '' }],
      ['query', { query: 'x'.repeat(2_001) }],
      ['limit', { query: 'x', limit: 0 }],
      ['limit', { query: 'x', limit: 21 }],
      ['limit', { query: 'x', limit: 1.5 }],
      ['mode', { query: 'x', mode: 'fuzzy' }],
    ])('[G-30] [G-31] rejects a wrong %s with -32602 and its name (%j)', async (field, args) => {
      const { body } = await call(args);
      expect(body).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: -32602, data: { field } } });
      expect(body.error.message).toContain(field);
      expect(body).not.toHaveProperty('result');
    });
  });
});
