import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { textValues } from './text-values.js';

const schema = z.strictObject({
  depth: z.int().default(1),
  share: z.number().min(0).max(1).default(0.5),
  only: z.boolean().optional(),
  name: z.string().optional(),
});

describe('query parameters', () => {
  it('are converted to the types of their fields', () => {
    expect(textValues(schema, { depth: '2', share: '0.75', only: 'true', name: '12' })).toEqual({
      depth: 2,
      share: 0.75,
      only: true,
      name: '12',
    });
  });

  it.each([
    ['depth', '1.5'],
    ['share', '1e3'],
    ['share', '0x10'],
    ['share', ''],
    ['only', 'yes'],
  ])('leave %s as the text "%s" for the schema to reject', (name, text) => {
    expect(textValues(schema, { [name]: text })).toEqual({ [name]: text });
  });
});
