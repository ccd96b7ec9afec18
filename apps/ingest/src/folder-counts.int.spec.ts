import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import fc from 'fast-check';
import { itemData, longText } from './command-data.builder.js';
import { IngestUnderTest } from './ingest-under-test.harness.js';
import { OP_PROJECTIONS, rebuilt } from './rebuilt.harness.js';

let ingest: IngestUnderTest;

beforeAll(async () => {
  ingest = await IngestUnderTest.start();
}, 60_000);
afterAll(() => ingest.stop());

const FOLDERS = 3;

/** Numbers select among the existing folders and items. */
type Step =
  | { readonly do: 'store'; readonly folder: number; readonly inKb: boolean; readonly chunks: number }
  | { readonly do: 'place'; readonly item: number; readonly folder?: number; readonly inKb?: boolean }
  | { readonly do: 'rename'; readonly item: number; readonly title: string }
  | { readonly do: 'supersede' | 'forget' | 'forget a chunk'; readonly item: number };

const item = fc.nat({ max: 50 });
const folder = fc.nat({ max: FOLDERS - 1 });
const stored = fc.record({
  do: fc.constant('store' as const),
  folder,
  inKb: fc.boolean(),
  chunks: fc.constantFrom(1, 2, 5),
});
const placed = fc
  .record({ do: fc.constant('place' as const), item, folder, inKb: fc.boolean() }, { requiredKeys: ['do', 'item'] })
  .filter((step) => 'folder' in step || 'inKb' in step);
const renamed = fc.record({ do: fc.constant('rename' as const), item, title: fc.constantFrom('One', 'Two') });
const other = fc.record({
  do: fc.constantFrom('supersede' as const, 'forget' as const, 'forget a chunk' as const),
  item,
});
const steps: fc.Arbitrary<Step[]> = fc.array(fc.oneof(stored, placed, placed, renamed, other), {
  minLength: 5,
  maxLength: 20,
});

const newWorkspace = async () => {
  const admin = await ingest.workspace();
  const folders = Array.from({ length: FOLDERS }, () => systemIds.next());
  for (const folderId of folders) {
    const rest = { name: 'N', tier: 'personal' as const, maxTokensPerRecall: null, readme: '', slug: `f-${folderId}` };
    await ingest.command(admin, 'folder.create', { folderId, ...rest });
  }
  return { admin, folders };
};

const carryOut = async (admin: Principal, folders: readonly string[], sequence: readonly Step[]): Promise<void> => {
  const items: string[] = [];
  const chunksOf = new Map<string, string[]>();
  for (const step of sequence) {
    if (step.do === 'store') {
      const data = itemData({ folderId: folders[step.folder]!, inKb: step.inKb, text: longText(step.chunks) });
      const { itemId, chunkIds } = await ingest.command(admin, 'item.store', data);
      items.push(itemId);
      chunksOf.set(itemId, [...chunkIds]);
      continue;
    }
    const itemId = items[step.item % items.length];
    if (itemId === undefined) continue;
    if (step.do === 'supersede') {
      const newId = (await ingest.command(admin, 'item.store', itemData({ folderId: folders[0]! }))).itemId;
      await ingest.command(admin, 'item.supersede', { oldId: itemId, newId });
      continue;
    }
    if (step.do === 'forget' || step.do === 'forget a chunk') {
      const chunkId = step.do === 'forget' ? undefined : chunksOf.get(itemId)!.pop();
      if (chunkId === undefined) await ingest.command(admin, 'item.forget', { itemId, surface: 'rest' });
      else await ingest.command(admin, 'chunk.forget', { chunkId, surface: 'rest' });
      const isGone = chunkId === undefined || chunksOf.get(itemId)!.length === 0;
      if (isGone) items.splice(items.indexOf(itemId), 1);
      continue;
    }
    const to = step.do === 'place' && step.folder !== undefined ? { folderId: folders[step.folder]! } : {};
    const kb = step.do === 'place' && step.inKb !== undefined ? { inKb: step.inKb } : {};
    const title = step.do === 'rename' ? { title: step.title } : {};
    await ingest.command(admin, 'item.update', { itemId, ...to, ...kb, ...title });
  }
};

const KEPT = `select id, item_count, chunk_count, token_count::int from library.folders where workspace_id = $1 order by id`;
const COUNTED = `
  select f.id,
    (select count(*)::int from library.items i where i.folder_id = f.id and i.in_kb) as item_count,
    count(b)::int as chunk_count,
    coalesce(sum(b.tokens), 0)::int as token_count
  from library.folders f
  left join library.chunks c on c.folder_id = f.id
  left join library.bodies b on b.chunk_id = c.id
  where f.workspace_id = $1 group by f.id order by f.id`;

describe('the counts of a folder', () => {
  it('[N-65] equal the number of its rows, after any sequence of stores, moves, flips and forgettings', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const { admin, folders } = await newWorkspace();
        await carryOut(admin, folders, sequence);
        const [kept, counted] = [
          await ingest.pool.query(KEPT, [admin.workspaceId]),
          await ingest.pool.query(COUNTED, [admin.workspaceId]),
        ];
        expect(kept.rows).toEqual(counted.rows);
      }),
      { numRuns: 15 },
    );
  }, 120_000);

  it('[N-65] include an item whose text takes several ops', async () => {
    const { admin, folders } = await newWorkspace();
    await carryOut(admin, folders, [
      { do: 'store', folder: 0, inKb: true, chunks: 90 },
      { do: 'place', item: 0, folder: 1 },
    ]);
    const { rows: kept } = await ingest.pool.query(KEPT, [admin.workspaceId]);
    expect(kept).toEqual((await ingest.pool.query(COUNTED, [admin.workspaceId])).rows);
    expect(kept.find(({ id }) => id === folders[1])).toMatchObject({ item_count: 1 });
    expect(kept.find(({ id }) => id === folders[1])!['chunk_count']).toBeGreaterThan(64);
  }, 60_000);

  it('are the same when the library is rebuilt from the log', async () => {
    const { live, next } = await rebuilt(ingest.stores, OP_PROJECTIONS);
    expect(next).toEqual(live);
  }, 60_000);
});
