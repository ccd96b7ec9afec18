import { describe, expect, it } from '@jest/globals';
import { systemPrincipal } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { PrepareContext } from './command.js';
import { updateItem } from './update-item.commands.js';

const workspaceId = uuidV7();

/** A library that shows this many items with the id, and a vault that counts key lookups. */
const world = (visible: number) => {
  let keys = 0;
  const client = { query: () => Promise.resolve({ rows: [], rowCount: visible }), release: () => undefined };
  const pool = { connect: () => Promise.resolve(client) };
  const vault = { find: () => Promise.resolve({ item: ++keys }) };
  const context = { pool, vault } as unknown as PrepareContext;
  const update = async (change: object) => {
    const data = { itemId: uuidV7(), ...change };
    const request = { id: uuidV7(), correlationId: 'c', principal: systemPrincipal(workspaceId), data };
    return updateItem.prepare(request, context);
  };
  return { update, keys: () => keys };
};

describe('a change of an item', () => {
  it.each([[{ title: 'New' }], [{ tags: ['new'] }], [{ inKb: true }]])(
    'with %j loads no key and no ciphertext if the caller does not see the item',
    async (change) => {
      const { update, keys } = world(0);
      await expect(update(change)).rejects.toMatchObject({ code: 'item.not_found', details: { field: 'id' } });
      expect(keys()).toBe(0);
    },
  );

  it('loads both if the caller sees the item', async () => {
    const { update, keys } = world(1);
    expect((await update({ title: 'New' })).needs.chunksOf).toHaveLength(1);
    expect(keys()).toBe(1);
  });
});
