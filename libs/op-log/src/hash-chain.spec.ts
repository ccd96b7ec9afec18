import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { GENESIS_HASH } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { chainOps, decodeOp, encodeOp, isIntact } from './hash-chain.js';
import { newOp } from './new-op.builder.js';

const fixtures = new URL('../../contracts/fixtures/', import.meta.url);
const recorded = readdirSync(fixtures)
  .filter((name) => name.endsWith('.json'))
  .map((file) => [file, readFileSync(new URL(file, fixtures))] as const);

describe('the hash chain', () => {
  it.each(recorded)('covers the recorded %s', (_, body) => {
    expect(isIntact(body)).toBe(true);
  });

  it('starts without a previous hash and links each op to the one before', () => {
    const chain = chainOps(systemIds.next(), GENESIS_HASH, [newOp(), newOp()]);
    expect(chain.map(({ prevHash }) => prevHash)).toEqual([GENESIS_HASH, chain[0]!.hash]);
    expect(chain.map(encodeOp).every(isIntact)).toBe(true);
  });

  it('is the same after a trip over the wire, whatever the order of the fields', () => {
    const op = newOp();
    const event = { type: 'folder.configured', data: { tier: 'public', folderId: op.id, name: undefined } } as never;
    const [envelope] = chainOps(systemIds.next(), GENESIS_HASH, [{ ...op, event }]);
    const back = JSON.parse(new TextDecoder().decode(encodeOp(envelope!))) as typeof envelope;
    expect(isIntact(encodeOp(Object.fromEntries(Object.entries(back!).reverse()) as never))).toBe(true);
  });

  it.each(['at', 'prevHash', 'type', 'commandId', 'data'])('detects a changed %s', (field) => {
    const [envelope] = chainOps(systemIds.next(), GENESIS_HASH, [newOp()]);
    expect(isIntact(encodeOp({ ...envelope!, [field]: 'other' }))).toBe(false);
  });

  it('covers fields that only a newer version knows, and reading keeps them', () => {
    const op = newOp();
    const actor = { ...op.actor, region: 'north' };
    const event = { ...op.event, data: { ...op.event.data, colour: 'red' } } as never;
    const [envelope] = chainOps(systemIds.next(), GENESIS_HASH, [{ ...op, actor, event }]);
    const body = encodeOp(envelope!);
    expect(isIntact(body)).toBe(true);
    expect(decodeOp(3, 'oplog.x.item', body)).toMatchObject({ body, op: { actor, data: { colour: 'red' } } });
    const without = encodeOp({ ...envelope!, actor: op.actor });
    expect(isIntact(without)).toBe(false);
  });

  it('rejects bytes that are not an op', () => {
    expect(() => decodeOp(3, 'oplog.x.item', new TextEncoder().encode('{"id":1}'))).toThrow(
      expect.objectContaining({ code: 'contract.unreadable', kind: 'defect', details: { position: 3 } }),
    );
  });
});
