import { describe, expect, it } from '@jest/globals';
import { Uuid } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { callerCommandId, correctionCommandId, receiptCommandId } from './command-id.js';

const [token, otherToken, key] = [systemIds.next(), systemIds.next(), systemIds.next()];

describe('the id of a command', () => {
  it('is the same each time', () => {
    expect(callerCommandId(token, key)).toBe(callerCommandId(token, key));
  });

  it('is a UUID', () => {
    expect(Uuid.parse(callerCommandId(token, key))).toBe(callerCommandId(token, key));
  });

  it('differs between tokens and origins for the same key', () => {
    const ids = [
      key,
      callerCommandId(token, key),
      callerCommandId(otherToken, key),
      receiptCommandId(key),
      correctionCommandId(key),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});
