import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TIERS, type Tier } from '@cairn/contracts';
import { SeededLibrary } from '@cairn/projections/testing';
import type { Reader } from './reader.js';
import { seesPlaced, type PlacedThing } from './visible.js';
import {
  folderIsVisible,
  folderReaderValues,
  itemIsVisible,
  readerSql,
  readerValues,
  visibleItems,
} from './visible.sql.js';

type Seeded = PlacedThing & { readonly id: string };

let library: SeededLibrary;
const folders: Seeded[] = [];
const items: Seeded[] = [];

const seedFolder = async (workspaceId: string, tier: Tier): Promise<void> => {
  const folderId = await library.folder({ workspaceId, tier });
  const placed = { folderId, placement: { workspaceId, tier } };
  folders.push({ ...placed, id: folderId });
  for (const inKb of [true, false]) {
    const { itemId } = await library.item({ workspaceId, folderId, inKb, title: 't', chunks: [{ text: 't' }] });
    items.push({ ...placed, id: itemId, inKb });
  }
};

beforeAll(async () => {
  library = await SeededLibrary.start();
  for (const workspaceId of [await library.workspace(), await library.workspace()])
    for (const tier of TIERS) await seedFolder(workspaceId, tier);
}, 60_000);
afterAll(() => library.stop());

const lists = (): (readonly string[] | null)[] => {
  const [first, second, third, , fifth] = folders.map(({ folderId }) => folderId);
  return [null, [], [first!], [second!, third!], [third!, fifth!]];
};

/** One reader for every combination of token and surface settings. */
const readers = (): Reader[] =>
  [folders[0]!, folders[3]!].flatMap(({ placement }) =>
    lists().flatMap((folderIds) =>
      [true, false].flatMap((seesSensitive) =>
        [true, false].map((kbOnly) => ({ workspaceId: placement!.workspaceId, folderIds, seesSensitive, kbOnly })),
      ),
    ),
  );

const visible = (reader: Reader, things: readonly Seeded[]): string[] =>
  things.filter((thing) => seesPlaced(reader, thing)).map(({ id }) => id);

const idsOf = async (sql: string, values: readonly unknown[]): Promise<string[]> =>
  (await library.pool.query<{ id: string }>(sql, [...values])).rows.map(({ id }) => id);

describe('the SQL text and the function', () => {
  it('select the same items for every kind of reader', async () => {
    const sql = `select i.id ${visibleItems(readerSql(1))} order by i.position`;
    for (const reader of readers()) {
      expect([reader, await idsOf(sql, readerValues(reader))]).toEqual([reader, visible(reader, items)]);
    }
  });

  it('select the same folders for every kind of reader', async () => {
    const sql = `select f.id from library.folders f where ${folderIsVisible('f', readerSql(1))}`;
    for (const reader of readers()) {
      const found = await idsOf(sql, folderReaderValues(reader));
      expect([reader, found.sort()]).toEqual([reader, visible(reader, folders).sort()]);
    }
  });

  it('select nothing for a workspace without a match, and everything that an unscoped admin may see', async () => {
    const all = {
      workspaceId: folders[0]!.placement!.workspaceId,
      folderIds: null,
      seesSensitive: true,
      kbOnly: false,
    };
    expect(visible(all, items)).toHaveLength(6);
    expect(visible({ ...all, folderIds: [] }, items)).toEqual([]);
  });
});

describe('a table that refers to items', () => {
  it('is counted over visible items only when it joins them', async () => {
    await library.pool.query('create table mentions (name text not null, item_id uuid not null)');
    await library.pool.query(`insert into mentions select 'Ada', id from library.items`);
    const sql = `
select count(*)::int as id
  from mentions m
  join library.items i on i.id = m.item_id
  join library.folders f on f.id = i.folder_id
  where m.name = $1 and ${itemIsVisible('i', 'f', readerSql(2))}`;
    for (const reader of readers()) {
      expect([reader, await idsOf(sql, ['Ada', ...readerValues(reader)])]).toEqual([
        reader,
        [visible(reader, items).length],
      ]);
    }
  });
});
