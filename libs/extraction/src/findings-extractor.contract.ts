import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphConfidence } from '@cairn/contracts';
import { entityKey } from '@cairn/graph';
import { FINDINGS_MAX, type Findings, type FindingsExtractor, type FoundEdge } from './findings-extractor.port.js';
import { readLabelledTexts } from './labelled-texts.builder.js';

const chunkOf = (text: string) => ({ title: null, tags: [], text });
const isWalkable = ({ negated, sourceKind }: FoundEdge): boolean => !negated && sourceKind === 'extracted';

/** The contract of every rule-based extractor. The same suite runs on the rules in process and in their thread. */
export const findingsExtractorContract = (name: string, open: () => FindingsExtractor): void => {
  describe(`${name} as an extractor of findings`, () => {
    let extractor: FindingsExtractor;
    beforeAll(() => {
      extractor = open();
    });
    afterAll(() => extractor.close());
    const read = async (text: string): Promise<Findings> => (await extractor.extract([chunkOf(text)]))[0]!;

    it("finds a person, an organization and the person's employment there", async () => {
      const { mentions, edges } = await read('Alice Chen works at Meridian Labs.');
      expect(mentions).toMatchObject([
        { name: 'Alice Chen', type: 'person', start: 0, end: 10 },
        { name: 'Meridian Labs', type: 'organization', start: 20, end: 33 },
      ]);
      expect(edges).toMatchObject([
        {
          subject: 'Alice Chen',
          predicate: 'works_at',
          object: 'Meridian Labs',
          subjectType: 'person',
          objectType: 'organization',
          sourceKind: 'extracted',
          negated: false,
        },
      ]);
      expect(edges[0]!.confidence).toBeGreaterThanOrEqual(0.6);
    });

    it('marks a supposed relation as ambiguous', async () => {
      const { edges } = await read('Bob Stone might move to Lisbon.');
      expect(edges.filter(({ sourceKind }) => sourceKind !== 'ambiguous')).toEqual([]);
    });

    it('marks a denied relation as negated', async () => {
      const { edges } = await read('Alice Chen no longer works at Meridian Labs.');
      expect(edges).toMatchObject([{ predicate: 'works_at', negated: true }]);
    });

    it.each([
      [
        'before it',
        'In 2024 Alice Chen worked at Meridian Labs. Since May, Alice Chen no longer works at Meridian Labs.',
      ],
      ['after it', 'Alice Chen no longer works at Meridian Labs. In 2024 Alice Chen worked at Meridian Labs.'],
      ['more surely', '# Alice Chen\nCompany: Meridian Labs\n\nAlice Chen no longer works at Meridian Labs.'],
    ])('keeps a denial where the same text states the relation %s', async (_, text) => {
      const { edges } = await read(text);
      expect(edges.filter(({ predicate }) => predicate === 'works_at')).toMatchObject([{ negated: true }]);
    });

    it('keeps what a text states where it only supposes the contrary', async () => {
      const { edges } = await read('Alice Chen might not work at Meridian Labs. Alice Chen works at Meridian Labs.');
      expect(edges.filter(isWalkable)).toMatchObject([{ predicate: 'works_at' }]);
    });

    it('resolves a first name that fits exactly one full name of the text', async () => {
      const { mentions, edges } = await read('Alice Chen gave the talk. Alice works at Velora.');
      expect(mentions.filter(({ name }) => name === 'Alice Chen')).toMatchObject([
        { start: 0 },
        { start: 26, end: 31 },
      ]);
      expect(edges.filter(isWalkable)).toContainEqual(
        expect.objectContaining({ subject: 'Alice Chen', predicate: 'works_at', object: 'Velora' }),
      );
    });

    it('does not resolve a first name that fits two full names, and marks its edges as ambiguous', async () => {
      const { edges } = await read('Alice Chen met Alice Novak. Alice works at Velora.');
      expect(edges.find(({ predicate }) => predicate === 'works_at')).toMatchObject({
        subject: 'Alice',
        sourceKind: 'ambiguous',
      });
    });

    it('reads the title with every chunk, and gives its names no offsets', async () => {
      const [findings] = await extractor.extract([{ title: 'Orion', tags: ['pricing'], text: 'Lead: Aisha Bello' }]);
      expect(findings!.mentions).toMatchObject([
        { name: 'Orion', start: null, end: null },
        { name: 'pricing', type: 'topic', start: null, end: null },
        { name: 'Aisha Bello', start: 6, end: 17 },
      ]);
      expect(findings!.edges).toMatchObject([{ subject: 'Aisha Bello', predicate: 'leads', object: 'Orion' }]);
    });

    it('answers in the order of the chunks', async () => {
      const answers = await extractor.extract(['Ben met Ada Lovett.', '', 'Nothing.'].map(chunkOf));
      expect(answers.map(({ mentions }) => mentions.length)).toEqual([2, 0, 0]);
      expect(await extractor.extract([])).toEqual([]);
    });

    it('respects the format of findings on every labelled text', async () => {
      const texts = [...readLabelledTexts('development'), ...readLabelledTexts('held-out')];
      const answers = await extractor.extract(texts.map(({ title, text }) => ({ title, tags: ['notes'], text })));
      answers.forEach((findings, index) => expectForm(findings, texts[index]!.text));
    });
  });
};

const expectForm = ({ mentions, edges }: Findings, text: string): void => {
  const keys = new Set(mentions.map(({ name }) => entityKey(name)));
  expect([mentions.length, edges.length].every((count) => count <= FINDINGS_MAX)).toBe(true);
  for (const { name, start, end, confidence, typeConfidence } of mentions) {
    expect([confidence, typeConfidence].every((value) => GraphConfidence.safeParse(value).success)).toBe(true);
    if (start !== null) expect(entityKey(name)).toContain(entityKey(text.slice(start, end!)));
  }
  for (const edge of edges) {
    expect(GraphConfidence.safeParse(edge.confidence).success).toBe(true);
    expect(keys).toContain(entityKey(edge.subject));
    expect(keys).toContain(entityKey(edge.object));
    expect(edge.sourceKind).not.toBe('inferred');
  }
};
