import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { REVIEW_ENTRIES_MAX } from '@cairn/contracts';
import { randomUUID } from 'node:crypto';
import type { GraphContext } from './graph-context.js';
import { GraphReads, type SeededText } from './graph-reads.harness.js';
import { locateEdge, locateEntity } from './locate.js';
import { reviewList } from './review-list.js';

const SAME = ['Alice', 'same_as', 'Alice Chen'] as const;

let reads: GraphReads;
let all: GraphContext;
let workspaceId: string;
let folderId: string;
/** The text that names the alias. */
let alone: SeededText;

beforeAll(async () => {
  reads = await GraphReads.start();
}, 60_000);
afterAll(() => reads.stop());

const nameAlice = async (): Promise<SeededText> => {
  const at = await reads.text(workspaceId, folderId, 'one two three');
  await reads.observe(at, [{ subject: 'Alice', predicate: 'likes', object: 'Rust' }]);
  return at;
};

const suggestions = async () => (await reviewList(all, 'merge', 10, undefined)).items;

beforeEach(async () => {
  workspaceId = await reads.library.workspace();
  folderId = await reads.library.folder({ workspaceId, name: 'Notes' });
  all = await reads.context({ workspaceId, seesSensitive: true });
  await reads.text(workspaceId, folderId, 'Alice Chen works at Meridian Labs.');
  alone = await nameAlice();
});

describe('a suggested merge that was rejected', () => {
  it('is not suggested again when another text names the alias', async () => {
    expect(await suggestions()).toMatchObject([{ subject: 'Alice', object: 'Alice Chen' }]);
    await reads.review(alone, SAME, 'rejected');
    await nameAlice();
    expect(await suggestions()).toEqual([]);
  });

  it('is located as before, also after another text names the alias', async () => {
    const { id } = (await suggestions())[0]!;
    const { evidence } = await locateEdge(all, id);
    await reads.review(alone, SAME, 'rejected');
    expect(await locateEdge(all, id)).toEqual({ evidence });
    await nameAlice();
    expect(await locateEdge(all, id)).toEqual({ evidence });
  });

  it('is suggested again when the text that the verdict was recorded in is forgotten', async () => {
    await reads.review(alone, SAME, 'rejected');
    await nameAlice();
    const { itemId, chunkId } = alone;
    await reads.library.apply(workspaceId, {
      type: 'item.forgotten',
      data: { itemId, folderId, chunkIds: [chunkId], receiptId: randomUUID(), erased: [], more: false },
    });
    expect(await suggestions()).toHaveLength(1);
  });

  it('does not hide other suggestions, however many were rejected', async () => {
    const numbers = Array.from({ length: REVIEW_ENTRIES_MAX }, (_, i) => String(i).padStart(4, '0'));
    const pairs = numbers.map((number) => [`aa${number}`, `aa${number} stone`] as const);
    const { pool } = reads.library;
    const keys = pairs.flat();
    await pool.query(
      `insert into graph.entities (workspace_id, key, id) select $1, key, gen_random_uuid() from unnest($2::text[]) as k(key)`,
      [workspaceId, keys],
    );
    await pool.query(
      `insert into graph.mentions (chunk_id, item_id, workspace_id, text_hash, ordinal, entity_key, surface, type,
           type_confidence, confidence, origin, position)
         select m.chunk_id, m.item_id, m.workspace_id, m.text_hash, 1000 + k.n, k.key, k.key, m.type,
             m.type_confidence, m.confidence, m.origin, m.position
           from (select * from graph.mentions where chunk_id = $1 limit 1) m,
             unnest($2::text[]) with ordinality as k(key, n)`,
      [alone.chunkId, keys],
    );
    const refs = pairs.map(([alias, canonical]) => reads.refOf(alone, [alias, 'same_as', canonical]));
    await pool.query(
      `insert into graph.reviews (chunk_id, item_id, ref_hash, verdict, position)
         select $1, $2, decode(ref, 'hex'), 'rejected', 1 from unnest($3::text[]) as r(ref)`,
      [alone.chunkId, alone.itemId, await Promise.all(refs)],
    );
    expect(await suggestions()).toMatchObject([{ subject: 'Alice', object: 'Alice Chen' }]);
  });
});

describe('an entity that was merged', () => {
  it('is located where its own name stands', async () => {
    const { subjectId } = (await suggestions())[0]!;
    const before = await locateEntity(all, subjectId);
    const canonical = await reads.text(workspaceId, folderId, 'Alice Chen leads Apollo.');
    await reads.merge(['Alice', alone], ['Alice Chen', canonical]);
    expect(await locateEntity(all, subjectId)).toEqual(before);
    expect(before.anchors).toEqual([{ itemId: alone.itemId, chunkId: alone.chunkId, name: 'Alice' }]);
  });
});
