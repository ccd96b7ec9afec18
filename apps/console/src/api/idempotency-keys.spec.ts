import { describe, expect, it } from '@jest/globals';
import { IdempotencyKeys } from './idempotency-keys.js';

describe('idempotency keys', () => {
  it('are UUIDs', () => {
    expect(new IdempotencyKeys().keyFor('a')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('stay the same for the same content, and differ for changed content or another dialog', () => {
    const keys = new IdempotencyKeys();
    const key = keys.keyFor({ title: 'a' });
    expect(keys.keyFor({ title: 'a' })).toBe(key);
    expect(keys.keyFor({ title: 'b' })).not.toBe(key);
    expect(new IdempotencyKeys().keyFor({ title: 'a' })).not.toBe(key);
  });
});
