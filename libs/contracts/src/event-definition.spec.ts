import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineEvent, newestData, older } from './event-definition.js';

/** No real event has a second version yet, so a made-up one is used here. */
const V1 = z.strictObject({ itemId: z.string(), label: z.string() });
const V2 = z.strictObject({ itemId: z.string(), title: z.string() });
const V3 = z.strictObject({ itemId: z.string(), title: z.string(), tags: z.array(z.string()) });

const ItemRenamed = defineEvent('item.renamed', 3, 'rename', V3, {
  1: older(V1, ({ itemId, label }) => ({ itemId, title: label })),
  2: older(V2, (old) => ({ ...old, tags: [] })),
});

/** Ops as three builds would have stored them. Never edited: such ops stay in the log. */
const GOLDEN = [
  { type: 'item.renamed', version: 1, data: { itemId: 'a', label: 'Tulips' } },
  { type: 'item.renamed', version: 2, data: { itemId: 'a', title: 'Tulips' } },
  { type: 'item.renamed', version: 3, data: { itemId: 'a', title: 'Tulips', tags: [] } },
];

describe('the data of a stored op', () => {
  it.each(GOLDEN)('of version $version is read in the newest shape, and the op stays unchanged', (op) => {
    const stored = JSON.stringify(op);
    expect(newestData(ItemRenamed, op, 7)).toEqual({ itemId: 'a', title: 'Tulips', tags: [] });
    expect(JSON.stringify(op)).toBe(stored);
  });

  it('keeps fields that this version does not know, also through an upcaster that spreads', () => {
    const op = { ...GOLDEN[1]!, data: { ...GOLDEN[1]!.data, colour: 'red' } };
    expect(newestData(ItemRenamed, op, 7)).toEqual({ itemId: 'a', title: 'Tulips', tags: [], colour: 'red' });
  });

  it('is refused when it does not fit its stated version', () => {
    const claim = { ...GOLDEN[1]!, version: 1 };
    expect(() => newestData(ItemRenamed, claim, 7)).toThrow('item.renamed at position 7 does not fit its schema');
  });

  it('is refused when an upcaster returns anything other than the next version', () => {
    const Broken = defineEvent('item.renamed', 2, 'rename', V2, { 1: older(V1, ({ itemId }) => ({ itemId })) });
    expect(() => newestData(Broken, GOLDEN[0]!, 7)).toThrow(
      expect.objectContaining({ code: 'contract.unreadable', details: { position: 7 } }),
    );
  });
});

describe('an event definition', () => {
  it('does not compile without an upcaster for every earlier version', () => {
    // @ts-expect-error version 2 needs an upcaster for version 1
    defineEvent('item.renamed', 2, 'rename', V2);
    // @ts-expect-error version 3 needs an upcaster for version 2
    defineEvent('item.renamed', 3, 'rename', V3, { 1: older(V1, ({ label }) => ({ title: label })) });
    // @ts-expect-error version 1 has no earlier version
    defineEvent('item.renamed', 1, 'rename', V1, {});
    expect(defineEvent('item.renamed', 1, 'rename', V1).upcasters).toEqual({});
  });
});
