import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Knowledge, newWord, type KnowledgeHit } from './knowledge.js';
import { connect, embedded, ERAS, newToken, newWorkspace, type ToolClient } from './under-test.js';

const SNIPPET = 240;
const chars = (text: string): string[] => Array.from(text);

/** Words that occur once each in a long text: at its ends, in its middle and everywhere between. */
const MARKS = Array.from({ length: 16 }, () => newWord());
/** Some 12,000 characters of many kinds, in more than a dozen chunks. */
const LONG_TEXT = MARKS.map((mark, i) => `${mark} ${'flüßig 漢字 😀 cafe\u0301 word\r\n\t'.repeat(10 + i * 3)}`)
  .join(`${MARKS[0]!.toUpperCase()}x `)
  .normalize('NFC')
  .concat(`${newWord()}  \n`);

/** The expected snippet, computed differently from the product. */
const centred = (text: string, word: string): string => {
  const all = chars(text);
  const middle = chars(text.slice(0, text.indexOf(word))).length + Math.floor(chars(word).length / 2);
  const start = Math.max(0, Math.min(middle - SNIPPET / 2, all.length - SNIPPET));
  return all.slice(start, start + SNIPPET).join('');
};

const leg = (hit: KnowledgeHit, name: string) => hit.explain!.legs.find((entry) => entry.leg === name)!;
const legsOf = (hit: KnowledgeHit | undefined): string[] =>
  hit?.explain!.legs.filter(({ rank }) => rank !== null).map((entry) => entry.leg) ?? [];

describe('search_knowledge', () => {
  let admin: string;
  let token: string;
  let writer: Knowledge;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    admin = (await newWorkspace()).token;
    token = await newToken(admin, { agentId: 'agent-1', scopes: ['knowledge:read', 'knowledge:write'] });
    writer = new Knowledge(await connect(token));
    const entries: [string, string, string, object?][] = [
      ['consent', 'OAuth pages', 'user consent at /authorize'],
      ['walk', 'Blimpography for beginners', 'walking the hills'],
      ['percent', '100% sure', 'certainty'],
      ['thousand', '1000 sure things', 'plenty'],
      ['underscore', 'snake_case names', 'style'],
      ['letter', 'snakeXcase names', 'style'],
      ['backslash', 'C:\\temp folder', 'paths'],
      ['both', 'Tagged twice', 'marzipan recipe', { tags: ['sweet', 'almond'] }],
      ['one', 'Tagged once', 'marzipan recipe', { tags: ['sweet'] }],
      ['none', 'Not tagged', 'marzipan recipe'],
      ['zeppelin', 'Zeppelin', 'zeppelin zeppelin'],
      ['airship', 'Airship', 'a zeppelin is an airship'],
      ['vehicle', 'Zeppelin hangar', 'where airships sleep'],
      ['long', 'A long entry', LONG_TEXT],
      ['emoji', 'Short', '😀 short text with an emoji'],
    ];
    for (const [name, title, body, more] of entries) ids[name] = await writer.store(title, body, { ...more });
    for (const id of Object.values(ids)) await embedded(admin, id);
  });

  afterAll(() => writer.close());

  describe.each(ERAS)('in the %s', (era) => {
    let client: ToolClient;
    let knowledge: Knowledge;

    const hitOf = async (name: string, query: string, more: object = {}): Promise<KnowledgeHit | undefined> =>
      (await knowledge.search(query, { explain: true, limit: 50, ...more })).find(({ id }) => id === ids[name]);

    beforeAll(async () => {
      client = await connect(token, era);
      knowledge = new Knowledge(client);
    });

    afterAll(() => client.close());

    it('[D-31] finds a paraphrase by the vector leg alone', async () => {
      const hit = await hitOf('consent', 'permission dialog during login');
      expect(legsOf(hit)).toEqual(['vector']);
      expect(hit!.snippet).toBe('user consent at /authorize');
    });

    it('[D-32] finds words as they are written, all of them, in any order and case', async () => {
      const words = async (query: string) => legsOf(await hitOf('walk', query)).includes('fulltext');
      expect(await words('HILLS walking')).toBe(true);
      for (const query of ['walk', 'walked hill', 'walking mountains', 'walk:*', 'walking | mountains', '"hills the"x'])
        expect([query, await words(query)]).toEqual([query, false]);
      for (const query of ['walking & hills', '!walking !hills', "walking' -- hills", 'walking <-> hills'])
        expect([query, await words(query)]).toEqual([query, true]);
    });

    it('[D-33] finds a part of a title, and takes wildcards literally', async () => {
      const inTitle = async (name: string, query: string) => legsOf(await hitOf(name, query)).includes('title');
      expect(await inTitle('walk', 'IMPOGRAPH')).toBe(true);
      expect([await inTitle('percent', '100% SURE'), await inTitle('thousand', '100% sure')]).toEqual([true, false]);
      expect([await inTitle('percent', '100%'), await inTitle('percent', '%')]).toEqual([true, true]);
      expect(await inTitle('walk', '%')).toBe(false);
      expect([await inTitle('underscore', 'e_c'), await inTitle('letter', 'e_c')]).toEqual([true, false]);
      expect([await inTitle('backslash', 'c:\\T'), await inTitle('backslash', '\\')]).toEqual([true, true]);
      expect(await inTitle('walk', '\\')).toBe(false);
    });

    it.each(['zeppelin', 'zeppelin airship', 'marzipan recipe', 'long', 'permission dialog'])(
      '[D-34] fuses %j by RRF with k = 60: every score can be recomputed by hand',
      async (query) => {
        const hits = await knowledge.search(query, { explain: true, limit: 50 });
        expect(hits.length).toBeGreaterThan(0);
        for (const hit of hits) {
          const { legs, fusion } = hit.explain!;
          expect([fusion, legs.map((entry) => entry.leg).sort()]).toEqual(['rrf-60', ['fulltext', 'title', 'vector']]);
          const raw = legs.reduce((sum, { rank }) => sum + (rank === null ? 0 : 1 / (60 + rank)), 0);
          expect(hit.rawScore).toBeCloseTo(raw, 12);
          expect(hit.score).toBeCloseTo(raw / (3 / 61), 12);
          expect(legs.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(hit.score, 12);
          expect(hit.score).toBeLessThanOrEqual(1);
        }
        for (const name of ['vector', 'fulltext', 'title']) {
          const ranked = hits.filter((hit) => leg(hit, name).rank !== null);
          const byRank = [...ranked].sort((a, b) => leg(a, name).rank! - leg(b, name).rank!);
          expect(byRank.map((hit) => leg(hit, name).rank)).toEqual(byRank.map((_, i) => i + 1));
          const raws = byRank.map((hit) => leg(hit, name).rawScore!);
          expect(raws).toEqual([...raws].sort((a, b) => b - a));
        }
        const scores = hits.map(({ score }) => score);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
      },
    );

    it('[D-29] drops hits below minScore before it applies the limit', async () => {
      const all = await knowledge.search('zeppelin', { limit: 50 });
      for (const { score } of all) {
        const kept = all.filter((hit) => hit.score >= score).map(({ id }) => id);
        expect((await knowledge.search('zeppelin', { limit: 50, minScore: score })).map(({ id }) => id)).toEqual(kept);
      }
      expect(await knowledge.search('zeppelin', { minScore: all[1]!.score, limit: 2 })).toHaveLength(2);
      expect(await knowledge.search('qqqq', { minScore: 1 })).toEqual([]);
    });

    it('[D-26] requires all of the tags, in any case', async () => {
      const found = async (...tags: string[]) => new Set(await knowledge.found('marzipan recipe', { tags }));
      expect(await found('SWEET')).toEqual(new Set([ids['both'], ids['one']]));
      expect(await found('Sweet', 'ALMOND')).toEqual(new Set([ids['both']]));
      expect(await found('sweet', 'bitter')).toEqual(new Set());
      expect(await found('not a tag')).toEqual(new Set());
    });

    it('[D-35] returns the fields of a hit without the body', async () => {
      const [hit] = await knowledge.search('zeppelin');
      const fields =
        'confidence createdByAgentId expiresAt id rawScore resource score snippet supersededById tags title';
      expect(Object.keys(hit!).sort()).toEqual(fields.split(' '));
    });

    it('[D-36] centres the snippet on the first match, wherever it is in a text of many chunks', async () => {
      for (const mark of MARKS) {
        const hit = await hitOf('long', mark);
        expect(hit!.snippet).toBe(centred(LONG_TEXT, mark));
        expect(chars(hit!.snippet)).toHaveLength(SNIPPET);
      }
    });

    it('[D-36] returns a text of less than 240 characters whole', async () => {
      expect((await hitOf('emoji', 'emoji'))!.snippet).toBe('😀 short text with an emoji');
    });

    it('returns the first 240 characters if no word matches in the text', async () => {
      const start = chars(LONG_TEXT).slice(0, SNIPPET).join('');
      const byTitle = await hitOf('long', 'ong entr');
      expect([legsOf(byTitle).includes('title'), byTitle!.snippet]).toEqual([true, start]);
      const byMeaning = await hitOf('long', 'word that is nowhere to be seen');
      expect([legsOf(byMeaning), byMeaning!.snippet]).toEqual([['vector'], start]);
    });

    it('[D-37] reads the whole body through the resource, byte for byte', async () => {
      const hit = await hitOf('long', MARKS[7]!);
      expect(hit!.resource).toBe(`drobek://knowledge/${ids['long']}`);
      const body = await client.read(hit!.resource);
      expect(Buffer.from(body).equals(Buffer.from(LONG_TEXT))).toBe(true);
    });

    it('[D-27] [D-28] [D-45] leaves out superseded and expired entries before it applies the limit', async () => {
      const word = newWord();
      const head = await knowledge.store('Head', `${word} head`);
      const old: string[] = [];
      for (let i = 0; i < 6; i++) {
        old.push(await knowledge.store(word, `${word} ${word} ${word}`));
        await knowledge.supersede(old[i]!, head);
      }
      const expiresAt = new Date(Date.now() + 1_500).toISOString();
      const gone = await knowledge.store(word, `${word} ${word}`, { expiresAt });
      const rest = [await knowledge.store('Second', `${word} second`), await knowledge.store('Third', `${word} third`)];
      for (const id of [head, ...rest]) await embedded(admin, id);
      while ((await knowledge.found(word)).includes(gone)) await new Promise((resolve) => setTimeout(resolve, 50));
      const shown = async (more: object) =>
        new Set((await knowledge.search(word, { limit: 3, ...more })).map(({ id }) => id));
      expect(await shown({})).toEqual(new Set([head, ...rest]));
      const withOld = await shown({ limit: 50, includeSuperseded: true });
      expect([...old, head, ...rest].filter((id) => !withOld.has(id))).toEqual([]);
      expect(withOld.has(gone)).toBe(false);
      expect(await shown({ limit: 1, includeExpired: true })).toEqual(new Set([gone]));
      expect((await shown({ limit: 10, includeSuperseded: true, includeExpired: true })).size).toBe(10);
    });
  });
});
