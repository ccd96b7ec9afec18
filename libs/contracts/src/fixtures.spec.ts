import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { OpEnvelope } from './envelope.js';
import { eventDefinition, EVENTS, parseOp } from './events.js';

const folder = new URL('../fixtures/', import.meta.url);
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort();
const fixture = (file: string): OpEnvelope => OpEnvelope.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8')));

const versionsOf = ({ type, version }: { type: string; version: number }): string[] =>
  Array.from({ length: version }, (_, i) => `${type}.v${i + 1}.json`);

describe('parsing the recorded ops of every event and version', () => {
  it('has a fixture for every event and version, and no others', () => {
    expect(files).toEqual(EVENTS.flatMap(versionsOf).sort());
  });

  it.each(files)('still reads %s, in its newest shape', (file) => {
    const envelope = fixture(file);
    const op = parseOp(envelope, 7);
    expect(`${op.type}.v${envelope.version}.json`).toBe(file);
    expect(op.position).toBe(7);
    expect(eventDefinition(op.type).schema.parse(op.data)).toEqual(op.data);
  });

  it('holds at an unknown event, since skipping one would lose a fact', () => {
    const unknown = { ...fixture('item.stored.v1.json'), type: 'item.teleported' };
    expect(() => parseOp(unknown, 7)).toThrow(
      expect.objectContaining({
        code: 'contract.unknown_event',
        kind: 'defect',
        message: 'the op at position 7, item.teleported v1, was written by a newer version of Cairn; upgrade this one',
      }),
    );
  });

  it('holds at a version that is newer than this build', () => {
    const newer = { ...fixture('item.stored.v1.json'), version: 99 };
    expect(() => parseOp(newer, 7)).toThrow(
      expect.objectContaining({
        code: 'contract.unknown_event',
        details: { position: 7, type: 'item.stored', version: 99 },
      }),
    );
  });

  it('refuses data that does not fit, and reports its position in the log', () => {
    const broken = { ...fixture('item.superseded.v1.json'), data: { itemId: 'x' } };
    expect(() => parseOp(broken, 7)).toThrow(
      expect.objectContaining({
        code: 'contract.unreadable',
        message: 'item.superseded at position 7 does not fit its schema',
        details: { position: 7 },
      }),
    );
  });
});
