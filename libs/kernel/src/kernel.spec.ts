import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { AppError, assert } from './app-error.js';
import { isoTime } from './clock.js';
import { uuidV7 } from './id-generator.js';
import { ConfigError, loadConfig } from './load-config.js';

describe('ids', () => {
  it('are UUIDs of version 7 that carry their creation time', () => {
    const id = uuidV7({ now: () => 0x0123456789ab });
    expect(id).toMatch(/^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('sort by creation time', () => {
    const ids = [1, 2, 1_000, 2 ** 40].map((ms) => uuidV7({ now: () => ms }));
    expect([...ids].sort()).toEqual(ids);
  });

  it('differ within one millisecond', () => {
    const clock = { now: () => 5 };
    expect(new Set(Array.from({ length: 10_000 }, () => uuidV7(clock))).size).toBe(10_000);
  });
});

describe('configuration', () => {
  const schema = z.object({ PORT: z.coerce.number().int(), SECRET: z.string().min(8), NAME: z.string().optional() });

  it('is read once, and an empty value counts as none', () => {
    expect(loadConfig(schema, { PORT: '80', SECRET: 'long enough', NAME: '' })).toEqual({
      PORT: 80,
      SECRET: 'long enough',
    });
  });

  it('names every bad variable and shows no value', () => {
    const loading = () => loadConfig(schema, { PORT: 'eighty', SECRET: 'hush' });
    expect(loading).toThrow(ConfigError);
    expect(loading).toThrow(/PORT: [\s\S]*SECRET: /);
    expect(loading).not.toThrow(/eighty|hush/);
  });

  it('names each bad variable once, even if several parts of it are wrong', () => {
    const origins = z
      .string()
      .transform((list) => list.split(','))
      .pipe(z.array(z.url('must be origins')));
    const key = z.string().min(9, 'must be long').regex(/^x/, 'must begin with x');
    const loading = () => loadConfig(z.object({ ORIGINS: origins, KEY: key }), { ORIGINS: 'a,b', KEY: 'k' });
    expect(loading).toThrow(
      new ConfigError('Bad environment:\n  ORIGINS: must be origins\n  KEY: must be long; must begin with x'),
    );
  });
});

describe('errors', () => {
  it('carry code and details across the border, and keep the cause inside', () => {
    const cause = new Error('socket');
    const error = new AppError('service.timeout', 'unavailable', 'no answer', { field: 'x' }, cause);
    expect({ ...error, message: error.message, cause: error.cause }).toMatchObject({
      code: 'service.timeout',
      kind: 'unavailable',
      cause,
    });
  });

  it('report a broken invariant as a defect', () => {
    expect(() => assert(false, 'never')).toThrow(expect.objectContaining({ kind: 'defect', message: 'never' }));
  });

  it('give times in ISO-8601', () => {
    expect(isoTime({ now: () => 0 })).toBe('1970-01-01T00:00:00.000Z');
  });
});
