import { describe, expect, it } from '@jest/globals';
import type { AppError } from '@cairn/kernel';
import { checkArguments } from './schema-check.js';
import type { JsonObject } from './schema-hygiene.js';

const faultOf = (schema: JsonObject, value: unknown): string | undefined => {
  try {
    checkArguments(schema, value);
    return undefined;
  } catch (thrown) {
    return (thrown as AppError).message;
  }
};

const object = (properties: object, more: object = {}): JsonObject => ({ type: 'object', properties, ...more });

describe('arguments of an external tool', () => {
  it.each<[string, JsonObject, unknown, string | undefined]>([
    ['none if none is needed', object({}), undefined, undefined],
    ['a type', object({ a: { type: 'integer' } }), { a: 1.5 }, 'a must be of the type integer'],
    ['one of several types', object({ a: { type: ['string', 'null'] } }), { a: null }, undefined],
    ['a required one', object({}, { required: ['a'] }), {}, 'a is required'],
    ['an unknown one', object({}, { additionalProperties: false }), { a: 1 }, 'a is not an argument of this tool'],
    ['an unknown one if others are allowed', object({}), { a: 1 }, undefined],
    [
      'a schema for the others',
      object({}, { additionalProperties: { type: 'string' } }),
      { a: 1 },
      'a must be of the type string',
    ],
    ['a value', object({ a: { enum: ['x', 'y'] } }), { a: 'z' }, 'a must be one of the values that the tool names'],
    ['a constant', object({ a: { const: 1 } }), { a: 2 }, 'a must be the value that the tool names'],
    ['a maximum', object({ a: { maximum: 5 } }), { a: 6 }, 'a must be at most 5'],
    ['a length', object({ a: { minLength: 2 } }), { a: '😀' }, 'a must be at least 2 characters long'],
    ['items', object({ a: { items: { type: 'string' } } }), { a: ['x', 1] }, 'a[1] must be of the type string'],
    [
      'a deeply nested value',
      object({ a: object({ b: { type: 'string' } }) }),
      { a: { b: 1 } },
      'a.b must be of the type string',
    ],
    [
      'a reference',
      { ...object({ a: { $ref: '#/$defs/n' } }), $defs: { n: { type: 'number' } } },
      { a: 'x' },
      'a must be of the type number',
    ],
    ['a reference without a target', object({ a: { $ref: '#/$defs/none' } }), { a: 'x' }, undefined],
    ['one of several forms', object({ a: { anyOf: [{ type: 'string' }, { type: 'number' }] } }), { a: 1 }, undefined],
    [
      'none of several forms',
      object({ a: { oneOf: [{ type: 'string' }, { type: 'number' }] } }),
      { a: [] },
      'a fits none of the forms that the tool names',
    ],
    [
      'all of several forms',
      object({ a: { allOf: [{ type: 'number' }, { minimum: 3 }] } }),
      { a: 1 },
      'a must be at least 3',
    ],
    ['a value that is not an object', object({}), 'text', 'arguments must be an object'],
    ['the prototype', object({}, { required: ['toString'] }), {}, 'toString is required'],
  ])('are checked for %s', (_, schema, value, fault) => {
    expect(faultOf(schema, value)).toBe(fault);
  });

  it('run no pattern of a third party', () => {
    const schema = object({ a: { type: 'string', pattern: '^(a+)+$' } });
    expect(faultOf(schema, { a: `${'a'.repeat(40)}!` })).toBeUndefined();
  });

  it('terminate for a schema that refers to itself, or doubles itself at every level', () => {
    const self = { ...object({}), allOf: [{ $ref: '#' }] };
    expect(faultOf(self, {})).toBe('arguments are too complex for the schema of this tool');
    const levels = Array.from({ length: 40 }, (_, i) => [
      `d${i}`,
      { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
    ]);
    const doubling = { ...object({}), allOf: [{ $ref: '#/$defs/d0' }], $defs: Object.fromEntries(levels) };
    expect(faultOf(doubling, {})).toBe('arguments are too complex for the schema of this tool');
  });
});
