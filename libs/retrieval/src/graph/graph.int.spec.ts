import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  EDGE_SOURCE_KINDS,
  GRAPH_NODES_MAX,
  MENTIONS_NAMING_MAX,
  REVIEWED_TOGETHER_MAX,
  type EdgeSourceKind,
  type GraphWalk,
  type QueryAnswer,
} from '@cairn/contracts';
import type { Pool, QueryConfig } from 'pg';
import { edgeView } from './edge-view.js';
import { entityDetail } from './entity-detail.js';
import { findEntities } from './find-entities.js';
import type { GraphContext } from './graph-context.js';
import { GraphReads, type SeededText } from './graph-reads.harness.js';
import { itemMentions } from './item-mentions.js';
import { listEntities } from './list-entities.js';
import { locateEdge } from './locate.js';
import { reviewList } from './review-list.js';
import { walkGraph } from './walk-graph.js';

let reads: GraphReads;
beforeAll(async () => {
  reads = await GraphReads.start();
}, 60_000);
afterAll(() => reads.stop());

interface World {
  readonly workspaceId: string;
  readonly open: string;
  readonly hidden: string;
  readonly reader: GraphContext;
  readonly all: GraphContext;
}

/** A workspace with a folder that the reader sees and one that only `all` sees. */
const world = async (): Promise<World> => {
  const workspaceId = await reads.library.workspace();
  const open = await reads.library.folder({ workspaceId, name: 'Open notes' });
  const hidden = await reads.library.folder({ workspaceId, name: 'Hidden notes' });
  return {
    workspaceId,
    open,
    hidden,
    reader: await reads.context({ workspaceId, folderIds: [open] }),
    all: await reads.context({ workspaceId, seesSensitive: true }),
  };
};

const walk = (
  context: GraphContext,
  entity: string,
  more: { depth?: number; minConfidence?: number; sourceKinds?: EdgeSourceKind[] } = {},
) =>
  walkGraph(context, {
    entity,
    depth: 1,
    minConfidence: 0.5,
    sourceKinds: [...EDGE_SOURCE_KINDS],
    surface: 'mcp',
    ...more,
  });

/** Edges as text. */
const inWords = ({ nodes, edges }: Pick<GraphWalk, 'nodes' | 'edges'>): string[] => {
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  return edges.map(({ from, predicate, to }) => `${names.get(from)} ${predicate} ${names.get(to)}`).sort();
};

describe('a plain sentence', () => {
  it('yields two typed entities and an extracted edge', async () => {
    const { workspaceId, open, reader } = await world();
    await reads.text(workspaceId, open, 'Alice Chen works at Meridian Labs.');
    const found = await walk(reader, 'alice chen', { minConfidence: 0.6, sourceKinds: ['extracted'] });
    expect(found.entity).toMatchObject({ name: 'Alice Chen', type: 'person' });
    expect(found.nodes).toEqual([
      expect.objectContaining({ name: 'Alice Chen', hop: 0 }),
      expect.objectContaining({ name: 'Meridian Labs', type: 'organization', hop: 1 }),
    ]);
    expect(found.edges).toEqual([
      expect.objectContaining({ predicate: 'works_at', sourceKind: 'extracted', reviewed: null, evidenceCount: 1 }),
    ]);
  });

  it('names an entity by the most frequent form of its newest mentions, in walks and in lists alike', async () => {
    const { workspaceId, open, reader } = await world();
    for (let n = 0; n <= MENTIONS_NAMING_MAX; n++)
      await reads.text(workspaceId, open, 'Alice Chen works at Meridian Labs.');
    for (let n = 0; n < MENTIONS_NAMING_MAX; n++)
      await reads.text(workspaceId, open, 'Alice Chen works at MERIDIAN Labs.');
    const [shown] = (await walk(reader, 'Alice Chen')).nodes.filter(({ hop }) => hop === 1);
    expect(shown).toMatchObject({ name: 'MERIDIAN Labs' });
    expect(await entityDetail(reader, shown!.id)).toMatchObject({
      name: 'MERIDIAN Labs',
      mentions: 2 * MENTIONS_NAMING_MAX + 1,
    });
  });

  it('with a hedge yields ambiguous edges only, if any', async () => {
    const { workspaceId, open, reader } = await world();
    await reads.text(workspaceId, open, 'Bob Stone might move to Lisbon.');
    const { edges } = await walk(reader, 'Bob Stone', { minConfidence: 0 });
    expect(edges.filter(({ sourceKind }) => sourceKind !== 'ambiguous')).toEqual([]);
  });

  it.each([
    ['alone', ''],
    ['beside what it denies', 'In 2024 Alice Chen worked at Meridian Labs. '],
  ])('that denies something yields no edge that can be walked, %s', async (_, before) => {
    const { workspaceId, open, reader } = await world();
    await reads.text(workspaceId, open, `${before}Alice Chen no longer works at Meridian Labs.`);
    const found = await walk(reader, 'Alice Chen', { minConfidence: 0 });
    expect(found.edges.filter(({ predicate }) => predicate === 'works_at')).toEqual([]);
  });

  it('with a first name next to one full name is about that person', async () => {
    const { workspaceId, open, reader } = await world();
    await reads.text(workspaceId, open, 'Alice Chen joined last year. Alice works at Meridian Labs.');
    expect(inWords(await walk(reader, 'Alice Chen'))).toContain('Alice Chen works_at Meridian Labs');
    expect((await walk(reader, 'Alice')).entity).toBeNull();
  });
});

describe('a walk', () => {
  it('goes to the requested depth, in both directions', async () => {
    const { workspaceId, open, reader } = await world();
    await reads.text(workspaceId, open, 'Alice Chen works at Meridian Labs.');
    await reads.text(workspaceId, open, 'Bob Stone works at Meridian Labs.');
    expect((await walk(reader, 'Alice Chen')).nodes).toHaveLength(2);
    const deep = await walk(reader, 'Alice Chen', { depth: 2 });
    expect(deep.nodes.map(({ name, hop }) => [name, hop])).toEqual([
      ['Alice Chen', 0],
      ['Meridian Labs', 1],
      ['Bob Stone', 2],
    ]);
  });

  it('filters by confidence and source kind, and counts the edges that it leaves out', async () => {
    const { workspaceId, open, reader } = await world();
    const at = await reads.text(workspaceId, open, 'one two three');
    await reads.observe(at, [
      { predicate: 'a', confidence: 0.6 },
      { predicate: 'b', confidence: 0.59 },
      { predicate: 'c', confidence: 0.9, sourceKind: 'ambiguous' },
      { predicate: 'd', confidence: 0.9, sourceKind: 'extracted' },
    ]);
    const found = await walk(reader, 'Alice Chen', { minConfidence: 0.6, sourceKinds: ['inferred'] });
    expect(inWords(found)).toEqual(['Alice Chen a Meridian Labs']);
    expect(found.dropped).toEqual({ confidence: 1, sourceKind: 2 });
    for (const kind of EDGE_SOURCE_KINDS) {
      const { edges } = await walk(reader, 'Alice Chen', { minConfidence: 0.6, sourceKinds: [kind] });
      expect([kind, edges.map(({ predicate }) => predicate)]).toEqual([
        kind,
        [{ extracted: 'd', inferred: 'a', ambiguous: 'c' }[kind]],
      ]);
    }
  });

  it('shows the highest confidence of the evidence, and at most three chunks of it', async () => {
    const { workspaceId, open, reader } = await world();
    const chunks = new Map<number, string>();
    for (const confidence of [0.6, 0.9, 0.7, 0.65]) {
      const at = await reads.text(workspaceId, open, `text ${confidence}`);
      await reads.observe(at, [{ confidence, sourceKind: confidence === 0.9 ? 'extracted' : 'inferred' }]);
      chunks.set(confidence, at.chunkId);
    }
    const { edges } = await walk(reader, 'Alice Chen');
    expect(edges).toEqual([expect.objectContaining({ confidence: 0.9, sourceKind: 'extracted', evidenceCount: 4 })]);
    expect(edges[0]!.evidence.map(({ chunkId }) => chunkId)).toEqual([0.9, 0.7, 0.65].map((one) => chunks.get(one)));
    expect((await edgeView(reader, edges[0]!.id)).evidence).toHaveLength(4);
  });

  it('shows the kind and the confidence of a row that fits, if a chunk states an edge in several ways', async () => {
    const { workspaceId, open, reader } = await world();
    const at = await reads.text(workspaceId, open, 'one two three');
    await reads.observe(at, [{ confidence: 0.7, sourceKind: 'extracted' }]);
    await reads.observe(at, [{ confidence: 0.8, sourceKind: 'inferred' }]);
    await reads.observe(at, [{ confidence: 0.9, sourceKind: 'ambiguous', negated: true }]);
    const shown = async (...sourceKinds: EdgeSourceKind[]) =>
      (await walk(reader, 'Alice Chen', { sourceKinds })).edges.map(
        ({ confidence, sourceKind, evidenceCount, evidence }) => [
          confidence,
          sourceKind,
          evidenceCount,
          evidence.length,
        ],
      );
    expect(await shown('extracted')).toEqual([[0.7, 'extracted', 1, 1]]);
    expect(await shown('extracted', 'inferred', 'ambiguous')).toEqual([[0.8, 'inferred', 1, 1]]);
  });

  it('shows neither an edge nor the node behind it, if its text is forgotten while the walk is under way', async () => {
    const { workspaceId, open, reader } = await world();
    const kept = await reads.text(workspaceId, open, 'one two three');
    const lost = await reads.text(workspaceId, open, 'four five six');
    await reads.observe(kept, [{ object: 'Kept Labs' }]);
    await reads.observe(lost, [{ object: 'Lost Labs' }]);
    // Another text mentions the name, so the name itself stays visible.
    await reads.observe(kept, [{ subject: 'Lost Labs', object: 'Harbour City', predicate: 'located_in' }]);
    const connect = async () => {
      const client = await reads.library.pool.connect();
      const query = async (given: QueryConfig) => {
        if (given.text.includes('graph_evidence'))
          await client.query('delete from graph.edges where chunk_id = $1', [lost.chunkId]);
        return client.query(given);
      };
      return { query, release: () => client.release() };
    };
    const { nodes, edges } = await walk({ ...reader, pool: { connect } as unknown as Pool }, 'Alice Chen');
    expect(nodes.map(({ name }) => name)).toEqual(['Alice Chen', 'Kept Labs']);
    expect(edges).toHaveLength(1);
  });

  it('shows all edges of one entity of a wide hop, as long as there is room', async () => {
    const { workspaceId, open, reader } = await world();
    const at = await reads.text(workspaceId, open, 'one two three');
    const firms = Array.from({ length: 45 }, (_, i) => `Firm ${i}`);
    await reads.observe(
      at,
      firms.map((object) => ({ object })),
    );
    await reads.observe(
      at,
      Array.from({ length: 40 }, (_, i) => ({ subject: 'Firm 7', predicate: 'owns', object: `Site ${i}` })),
    );
    const { nodes, edges, truncated } = await walk(reader, 'Alice Chen', { depth: 2 });
    expect([nodes.length, edges.length, truncated]).toEqual([86, 85, false]);
  });

  it('has at most 50 edges at a node, and reports when there are more', async () => {
    const { workspaceId, open, reader } = await world();
    const at = await reads.text(workspaceId, open, 'one two three');
    await reads.observe(
      at,
      Array.from({ length: 60 }, (_, i) => ({ object: `Place ${i}`, predicate: 'visited' })),
    );
    const found = await walk(reader, 'Alice Chen');
    expect([found.edges.length, found.truncated]).toEqual([50, true]);
  });

  it('shows what is stated most often first among edges of equal confidence', async () => {
    const { workspaceId, open, reader } = await world();
    for (const object of ['Anchorage', 'Zurich', 'Zurich'])
      await reads.observe(await reads.text(workspaceId, open, 'one two three'), [{ object, predicate: 'visited' }]);
    const { edges, nodes } = await walk(reader, 'Alice Chen');
    expect(edges.map(({ evidenceCount }) => evidenceCount)).toEqual([2, 1]);
    expect(nodes.map(({ name }) => name)).toEqual(['Alice Chen', 'Zurich', 'Anchorage']);
  });

  it('with many entities in a hop shows as many edges of each of them', async () => {
    const { workspaceId, open, reader } = await world();
    const firms = Array.from({ length: 40 }, (_, i) => `Firm ${String(i).padStart(2, '0')}`);
    const at = await reads.text(workspaceId, open, 'one two three');
    await reads.observe(
      at,
      firms.map((object) => ({ object })),
    );
    for (const firm of firms)
      await reads.observe(
        at,
        Array.from({ length: 20 }, (_, i) => ({ subject: firm, predicate: 'owns', object: `${firm} Site ${i}` })),
      );
    const { nodes, edges, truncated } = await walk(reader, 'Alice Chen', { depth: 2 });
    expect([nodes.length, truncated]).toEqual([GRAPH_NODES_MAX, true]);
    const far = edges.filter(({ hop }) => hop === 2);
    const shown = firms.map((_, i) => far.filter(({ from }) => from === nodes[i + 1]!.id).length);
    expect([Math.min(...shown), Math.max(...shown)]).toEqual([3, 4]);
  });

  it('from an unknown name is empty, with similar names that the reader may see', async () => {
    const { workspaceId, open, hidden, reader } = await world();
    await reads.text(workspaceId, open, 'Alice Chen works at Meridian Labs.');
    await reads.text(workspaceId, hidden, 'Alice Cheng works at Meridian Labs.');
    const found = await walk(reader, 'Alice');
    expect(found).toMatchObject({ entity: null, nodes: [], edges: [] });
    expect(found.candidates!.map(({ name }) => name)).toEqual(['Alice Chen']);
  });

  it('of an unknown name lists the closest names first, in whatever order the database returns them', async () => {
    const { workspaceId, open, reader } = await world();
    for (const name of ['Alice Chen', 'Alice Reed', 'Alicent Hightower'])
      await reads.observe(await reads.text(workspaceId, open, 'one two three'), [{ subject: name }]);
    const reversed = {
      connect: async () => {
        const client = await reads.library.pool.connect();
        const query = async (given: QueryConfig) => ({ rows: (await client.query(given)).rows.toReversed() });
        return { query, release: () => client.release() };
      },
    } as unknown as Pool;
    const names = ['Alice Chen', 'Alice Reed', 'Alicent Hightower'];
    for (const pool of [reader.pool, reversed]) {
      const { candidates } = await walk({ ...reader, pool }, 'Alice');
      expect(candidates!.map(({ name }) => name)).toEqual(names);
    }
  });

  it('starts from an id as well as from a name', async () => {
    const { workspaceId, open, reader } = await world();
    await reads.text(workspaceId, open, 'Alice Chen works at Meridian Labs.');
    const byName = await walk(reader, 'Alice Chen');
    expect(await walk(reader, byName.entity!.id)).toEqual(byName);
  });

  it('does not show statements of a text that has changed, was superseded or has expired', async () => {
    const { workspaceId, open, reader } = await world();
    const newer = await reads.text(workspaceId, open, 'Nothing here.');
    await reads.text(workspaceId, open, 'Alice Chen works at Meridian Labs.', { supersededBy: newer.itemId });
    await reads.text(workspaceId, open, 'Alice Chen leads Apollo.', { expiresAt: '2020-01-01T00:00:00Z' });
    expect((await walk(reader, 'Alice Chen')).entity).toBeNull();
  });
});

describe('a verdict', () => {
  const EDGE = ['Bob Stone', 'moved_to', 'Lisbon'] as const;
  const stated = {
    subject: 'Bob Stone',
    predicate: 'moved_to',
    object: 'Lisbon',
    sourceKind: 'ambiguous',
    confidence: 0.4,
  } as const;

  /** More chunks of the same item that state the same. */
  const copyChunk = async ({ chunkId }: SeededText, copies: number): Promise<void> => {
    const { pool } = reads.library;
    await pool.query(
      `insert into library.chunks select (r).* from (
         select jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid())) as r
           from library.chunks c, generate_series(1, $2::int) where c.id = $1) x`,
      [chunkId, copies],
    );
    await pool.query(
      `insert into graph.edges select (r).* from (
         select jsonb_populate_record(e, jsonb_build_object('chunk_id', c.id)) as r
           from graph.edges e join library.chunks c on c.item_id = e.item_id and c.id <> e.chunk_id
           where e.chunk_id = $1) x`,
      [chunkId],
    );
  };

  const rejectAll = (evidence: QueryAnswer<'edge.locate'>['evidence']) =>
    reads.library.pool.query(
      `insert into graph.reviews (chunk_id, item_id, ref_hash, verdict, position)
         select e.chunk_id, e.item_id, decode(e.ref, 'hex'), 'rejected', 1
           from unnest($1::uuid[], $2::uuid[], $3::text[]) as e(chunk_id, item_id, ref)`,
      [
        evidence.map(({ chunkId }) => chunkId),
        evidence.map(({ itemId }) => itemId),
        evidence.map(({ edgeRef }) => edgeRef),
      ],
    );

  it('makes a confirmed edge certain and extracted; the last verdict counts', async () => {
    const { workspaceId, open, reader } = await world();
    const at = await reads.text(workspaceId, open, 'one two three');
    await reads.observe(at, [stated]);
    await reads.review(at, EDGE, 'rejected');
    expect((await walk(reader, 'Bob Stone', { minConfidence: 0 })).edges).toEqual([]);
    await reads.review(at, EDGE, 'confirmed');
    const { edges } = await walk(reader, 'Bob Stone', { minConfidence: 1, sourceKinds: ['extracted'] });
    expect(edges).toEqual([expect.objectContaining({ confidence: 1, sourceKind: 'extracted', reviewed: 'confirmed' })]);
    expect(await edgeView(reader, edges[0]!.id)).toMatchObject({
      subject: 'Bob Stone',
      predicate: 'moved_to',
      object: 'Lisbon',
      confidence: 1,
      reviewed: 'confirmed',
      evidence: [{ itemId: at.itemId, chunkId: at.chunkId }],
    });
  });

  it('that rejects one chunk takes its confidence out of the edge', async () => {
    const { workspaceId, open, reader } = await world();
    const [sure, unsure] = [await reads.text(workspaceId, open, 'one'), await reads.text(workspaceId, open, 'two')];
    await reads.observe(sure, [{ confidence: 0.9 }]);
    await reads.observe(unsure, [{ confidence: 0.6 }]);
    await reads.review(sure, ['Alice Chen', 'works_at', 'Meridian Labs'], 'rejected');
    const [edge] = (await walk(reader, 'Alice Chen')).edges;
    expect(await edgeView(reader, edge!.id)).toMatchObject({ confidence: 0.6, reviewed: null });
  });

  it('is given to every chunk that states the edge, each once, however many there are', async () => {
    const { workspaceId, open, reader } = await world();
    const at = await reads.text(workspaceId, open, 'one two three');
    for (let i = 0; i < 2; i++) await reads.observe(at, [stated]);
    await copyChunk(at, REVIEWED_TOGETHER_MAX + 4);
    const edgeId = (await walk(reader, 'Bob Stone', { minConfidence: 0 })).edges[0]!.id;
    const first = await locateEdge(reader, edgeId);
    expect(first.evidence).toHaveLength(REVIEWED_TOGETHER_MAX);
    await rejectAll(first.evidence);
    expect((await edgeView(reader, edgeId)).reviewed).toBeNull();
    const rest = await locateEdge(reader, edgeId, first.next);
    expect(rest.next).toBeUndefined();
    expect(new Set([...first.evidence, ...rest.evidence].map(({ chunkId }) => chunkId)).size).toBe(
      REVIEWED_TOGETHER_MAX + 5,
    );
    expect(rest.evidence).toHaveLength(5);
    await rejectAll(rest.evidence);
    expect((await edgeView(reader, edgeId)).reviewed).toBe('rejected');
    expect((await walk(reader, 'Bob Stone', { minConfidence: 0 })).edges).toEqual([]);
    expect(await locateEdge(reader, edgeId, rest.evidence.at(-1)!.chunkId)).toEqual({ evidence: [] });
  });

  it('removes an ambiguous edge from the inbox', async () => {
    const { workspaceId, open, all } = await world();
    const at = await reads.text(workspaceId, open, 'Perhaps Bob Stone is in Lisbon by now. Who knows.');
    await reads.observe(at, [stated]);
    const { items } = await reviewList(all, 'edge', 10, undefined);
    expect(items.filter(({ predicate }) => predicate === 'moved_to')).toEqual([
      expect.objectContaining({
        kind: 'edge',
        subject: 'Bob Stone',
        object: 'Lisbon',
        itemId: at.itemId,
        sentence: 'Perhaps Bob Stone is in Lisbon by now.',
      }),
    ]);
    await reads.review(at, EDGE, 'rejected');
    const left = await reviewList(all, 'edge', 10, undefined);
    expect(left.items.filter(({ predicate }) => predicate === 'moved_to')).toEqual([]);
  });
});

describe('a denial', () => {
  it('is not evidence of the edge that it denies', async () => {
    const { workspaceId, open, reader } = await world();
    const stated = await reads.text(workspaceId, open, 'one two three');
    const denied = await reads.text(workspaceId, open, 'four five six');
    await reads.observe(stated, [{ confidence: 0.7 }]);
    await reads.observe(denied, [{ confidence: 0.9, negated: true }]);
    const [edge] = (await walk(reader, 'Alice Chen')).edges;
    const view = await edgeView(reader, edge!.id);
    expect([view.confidence, view.evidence.map(({ chunkId }) => chunkId)]).toEqual([0.7, [stated.chunkId]]);
  });

  it('alone is not an edge', async () => {
    const { workspaceId, open, reader } = await world();
    const at = await reads.text(workspaceId, open, 'one two three');
    await reads.observe(at, [{ negated: true }]);
    const { rows } = await reads.library.pool.query<{ id: string }>('select id from graph.edges where chunk_id = $1', [
      at.chunkId,
    ]);
    await expect(edgeView(reader, rows[0]!.id)).rejects.toMatchObject({ kind: 'missing' });
  });

  it('with a hedge does not wait for a verdict', async () => {
    const { workspaceId, open, all } = await world();
    const at = await reads.text(workspaceId, open, 'one two three');
    await reads.observe(at, [{ sourceKind: 'ambiguous', negated: true }]);
    expect((await reviewList(all, 'edge', 10, undefined)).items).toEqual([]);
  });
});

describe('a merge', () => {
  let given: World;
  let canonical: SeededText;
  let mergeId: string;
  beforeAll(async () => {
    given = await world();
    const { workspaceId, open, hidden } = given;
    canonical = await reads.text(workspaceId, open, 'Alice Chen works at Meridian Labs.');
    const alias = await reads.text(workspaceId, open, 'Ally Chen leads Apollo.');
    const secret = await reads.text(workspaceId, hidden, 'Wonder Woman leads Gemini.');
    mergeId = await reads.merge(['Ally Chen', alias], ['Alice Chen', canonical]);
    await reads.merge(['Wonder Woman', secret], ['Alice Chen', canonical]);
  });

  it('makes two names one entity under the canonical name', async () => {
    for (const name of ['Ally Chen', 'Alice Chen']) {
      const found = await walk(given.reader, name);
      expect([found.entity!.name, inWords(found)]).toEqual([
        'Alice Chen',
        expect.arrayContaining(['Alice Chen leads Apollo', 'Alice Chen works_at Meridian Labs']),
      ]);
    }
  });

  it('collapses candidates into the canonical entity, found by its alias', async () => {
    const candidates = await findEntities(given.reader, { text: 'Ally Chen', limit: 8 });
    expect(candidates.map(({ name, aliases, match }) => [name, aliases, match])).toEqual([
      ['Alice Chen', ['Ally Chen'], 'alias'],
    ]);
    const byWord = await findEntities(given.reader, { text: 'chen', limit: 8 });
    expect(byWord.map(({ name }) => name)).toEqual(['Alice Chen']);
  });

  it('applies only if both sides have an anchor that the reader may see', async () => {
    expect((await entityDetail(given.reader, (await walk(given.reader, 'Alice Chen')).entity!.id)).aliases).toEqual([
      'Ally Chen',
    ]);
    const whole = await entityDetail(given.all, (await walk(given.all, 'Alice Chen')).entity!.id);
    expect(whole.aliases).toEqual(['Ally Chen', 'Wonder Woman']);
    expect((await walk(given.reader, 'Wonder Woman')).entity).toBeNull();
  });

  it('lists its entity once', async () => {
    const { items } = await listEntities(given.reader, { limit: 50 }, null);
    expect(items.map(({ name }) => name).filter((name) => name.includes('Chen'))).toEqual(['Alice Chen']);
  });

  it('ends when it is undone', async () => {
    await reads.library.apply(given.workspaceId, { type: 'entity.split', data: { mergeId } });
    expect((await walk(given.reader, 'Ally Chen')).entity!.name).toBe('Ally Chen');
  });
});

describe('candidates', () => {
  it('are ranked by a neighbour that is not among their first, even if there are many of them', async () => {
    const { workspaceId, open, reader } = await world();
    const at = await reads.text(workspaceId, open, 'one two three');
    const people = Array.from({ length: 150 }, (_, i) => `Alice ${i}x`);
    for (let from = 0; from < people.length; from += 10)
      await reads.observe(
        at,
        people
          .slice(from, from + 10)
          .flatMap((subject) =>
            [1, 2, 3, 4].map((n) => ({ subject, predicate: 'knows', object: `Friend ${n} of ${subject}` })),
          ),
      );
    await reads.observe(at, [{ subject: 'Alice 99x', predicate: 'works_at', object: 'Zenith Labs', confidence: 0.3 }]);
    const [first] = await findEntities(reader, { text: 'Alice', limit: 3, hints: { near: ['Zenith Labs'] } });
    expect(first).toMatchObject({ name: 'Alice 99x' });
  });

  it('come with the details that distinguish them, ranked by the hints', async () => {
    const { workspaceId, open, reader } = await world();
    const at = await reads.text(workspaceId, open, 'Alice Chen works at Meridian Labs.');
    await reads.text(workspaceId, open, 'Alice Reed works at Northwind Labs.');
    const candidates = await findEntities(reader, { text: 'Alice', limit: 8, hints: { near: ['Northwind Labs'] } });
    expect(candidates.map(({ name, match }) => [name, match])).toEqual([
      ['Alice Reed', 'word'],
      ['Alice Chen', 'word'],
    ]);
    expect(candidates[1]).toMatchObject({
      type: 'person',
      mentions: 1,
      folders: ['Open notes'],
      neighbours: ['Meridian Labs'],
      example: { itemId: at.itemId, snippet: 'Alice Chen works at Meridian Labs.' },
    });
  });

  it.each([
    ['ali', 'prefix'],
    ['Alcie Chen', 'spelling'],
    ['dr. alice chen', 'exact'],
  ])('are found from %j by %s', async (text, match) => {
    const { workspaceId, open, reader } = await world();
    await reads.text(workspaceId, open, 'Alice Chen works at Meridian Labs.');
    expect(await findEntities(reader, { text, limit: 8 })).toEqual([
      expect.objectContaining({ name: 'Alice Chen', match }),
    ]);
  });
});

describe('a name with a backslash or a quote', () => {
  it.each([
    ['C:\\temp', 'c:\\te'],
    ["O'Brien", "o'br"],
  ])('%j is found by its beginning %j', async (name, beginning) => {
    const { workspaceId, open, reader } = await world();
    await reads.observe(await reads.text(workspaceId, open, 'one two three'), [{ subject: name }]);
    const candidates = await findEntities(reader, { text: beginning, limit: 8 });
    expect(candidates.map((found) => [found.name, found.match])).toEqual([[name, 'prefix']]);
    const listed = await listEntities(reader, { limit: 9, query: beginning }, null);
    expect(listed.items.map((found) => found.name)).toEqual([name]);
    expect((await walk(reader, 'a\\b')).entity).toBeNull();
  });
});

describe('the page of an entity and of an item', () => {
  it('shows edges, items and mentions', async () => {
    const { workspaceId, open, reader } = await world();
    const at = await reads.text(workspaceId, open, 'Alice Chen works at Meridian Labs.');
    const mentions = await itemMentions(reader, at.itemId);
    expect(mentions.map(({ name, type }) => [name, type])).toEqual([
      ['Alice Chen', 'person'],
      ['Meridian Labs', 'organization'],
    ]);
    const detail = await entityDetail(reader, mentions[0]!.id);
    expect(detail.edges).toEqual([
      expect.objectContaining({ subject: 'Alice Chen', predicate: 'works_at', object: 'Meridian Labs' }),
    ]);
    expect(detail.mentionedIn).toEqual([
      expect.objectContaining({ itemId: at.itemId, chunkId: at.chunkId, title: 'A note' }),
    ]);
  });
});

describe('the list of entities', () => {
  it('is sorted by name, in pages, and filtered by words and type', async () => {
    const { workspaceId, open, reader } = await world();
    await reads.text(workspaceId, open, 'Alice Chen works at Meridian Labs. Bob Stone works at Northwind Labs.');
    const first = await listEntities(reader, { limit: 2 }, null);
    expect(first.items.map(({ name }) => name)).toEqual(['Alice Chen', 'Bob Stone']);
    const second = await listEntities(reader, { limit: 2 }, first.next!);
    expect([second.items.map(({ name }) => name), second.next]).toEqual([
      ['Meridian Labs', 'Northwind Labs'],
      undefined,
    ]);
    expect((await listEntities(reader, { limit: 9, query: 'merid' }, null)).items.map(({ name }) => name)).toEqual([
      'Meridian Labs',
    ]);
    const people = await listEntities(reader, { limit: 9, type: 'person' }, null);
    expect(people.items.map(({ name }) => name)).toEqual(['Alice Chen', 'Bob Stone']);
  });
});

describe('the review inbox', () => {
  it('shows two objects of a predicate as a conflict if a claim with another object would be contradicted', async () => {
    const { workspaceId, open, all } = await world();
    await reads.text(workspaceId, open, 'Alice Chen is married to Bob Stone.');
    await reads.text(workspaceId, open, 'Alice Chen is married to Carl Reed.');
    const { items } = await reviewList(all, 'conflict', 10, undefined);
    expect(items.map(({ predicate, object }) => [predicate, object])).toEqual([
      ['married_to', 'Carl Reed'],
      ['married_to', 'Bob Stone'],
    ]);
  });

  it('shows the conflict of an edge that was ambiguous until it was confirmed', async () => {
    const { workspaceId, open, all } = await world();
    const at = await reads.text(workspaceId, open, 'one two three');
    await reads.observe(at, [{ sourceKind: 'ambiguous', confidence: 0.4 }]);
    await reads.observe(await reads.text(workspaceId, open, 'four five six'), [{ object: 'Northwind Labs' }]);
    expect((await reviewList(all, 'conflict', 10, undefined)).items).toEqual([]);
    await reads.review(at, ['Alice Chen', 'works_at', 'Meridian Labs'], 'confirmed');
    const { items } = await reviewList(all, 'conflict', 10, undefined);
    expect(items.map(({ object }) => object)).toEqual(['Northwind Labs', 'Meridian Labs']);
  });

  it('suggests a merge until it is rejected, and shows conflicting statements', async () => {
    const { workspaceId, open, all } = await world();
    await reads.text(workspaceId, open, 'Alice Chen works at Meridian Labs.');
    const alone = await reads.text(workspaceId, open, 'one two three');
    await reads.observe(alone, [{ subject: 'Alice', predicate: 'likes', object: 'Rust' }]);
    await reads.text(workspaceId, open, 'Alice Chen works at Northwind Labs.');
    const merges = await reviewList(all, 'merge', 10, undefined);
    expect(merges.items).toEqual([
      expect.objectContaining({ kind: 'merge', subject: 'Alice', object: 'Alice Chen', predicate: 'same_as' }),
    ]);
    const conflicts = await reviewList(all, 'conflict', 10, undefined);
    expect(conflicts.items.map(({ subject, object }) => [subject, object])).toEqual([
      ['Alice Chen', 'Northwind Labs'],
      ['Alice Chen', 'Meridian Labs'],
    ]);
    await reads.review(alone, ['Alice', 'same_as', 'Alice Chen'], 'rejected');
    expect((await reviewList(all, 'merge', 10, undefined)).items).toEqual([]);
    const every = await reviewList(all, undefined, 1, undefined);
    expect(every.items).toHaveLength(1);
    const rest = await reviewList(all, undefined, 10, every.next);
    expect(rest.items.map(({ id }) => id)).not.toContain(every.items[0]!.id);
  });
});
