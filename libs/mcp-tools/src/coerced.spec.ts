import { describe, expect, it } from '@jest/globals';
import { coerced } from './coerced.js';
import { TOOLS } from './registry.js';

const nullable = (type: string) => ({ anyOf: [{ type }, { type: 'null' }] });

describe('an argument that is sent as text', () => {
  it.each([
    ['integer', '5', 5],
    ['integer', '-1', -1],
    ['integer', '0', 0],
    ['number', '0.25', 0.25],
    ['number', '5', 5],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['array', '["a","b"]', ['a', 'b']],
    ['array', ' [ ] ', []],
    ['object', '{"a":1}', { a: 1 }],
  ])('is parsed as JSON of type %s: %j', (type, text, value) => {
    expect(coerced({ type }, text)).toEqual(value);
    expect(coerced(nullable(type), text)).toEqual(value);
    expect(coerced({ type: 'object', properties: { field: { type } } }, { field: text })).toEqual({ field: value });
  });

  it.each([
    [
      'integer',
      ['', ' 5', '5 ', '05', '+5', '5.0', '5.5', '1e1', '0x5', 'five', 'Infinity', 'NaN', '٥', '"5"', 'null'],
    ],
    ['number', ['', '.5', '5.', '1e1', 'Infinity', 'NaN', '-', '1,5']],
    ['boolean', ['', 'True', 'TRUE', 'yes', '1', '0', ' true', 'null']],
    ['array', ['', 'work', 'a,b', '{}', '{"0":"a"}', '["a"', 'null', '1', '"[]"']],
    ['object', ['', '[]', 'null', '{', "{'a':1}", '"{}"', '1']],
  ])('is unchanged if it is not an exact %s', (type, texts) => {
    for (const text of texts) expect(coerced({ type }, text)).toBe(text);
  });

  it('is unchanged if the schema also allows text, or does not say what it allows', () => {
    for (const schema of [
      { type: 'string' },
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
      { type: ['string', 'integer'] },
      {},
    ])
      for (const text of ['5', 'true', '[]', '{}']) expect(coerced(schema, text)).toBe(text);
  });

  it('is unchanged if it is longer than any list or object could be', () => {
    const text = `[${'1,'.repeat(40_000)}1]`;
    expect(coerced({ type: 'array' }, text)).toBe(text);
  });

  it('is also parsed inside lists and objects, even if those arrive as text themselves', () => {
    const schema = {
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'integer' } },
        names: { type: 'array', items: { type: 'string' } },
      },
    };
    expect(coerced(schema, '{"list":"[\\"1\\",2]","names":["5"]}')).toEqual({ list: [1, 2], names: ['5'] });
  });

  it('keeps other values and unknown fields, and does not change a prototype', () => {
    const args = JSON.parse('{"known":7,"__proto__":{"admin":true},"constructor":"5"}');
    const taken = coerced({ type: 'object', properties: { known: { type: 'integer' } } }, args) as object;
    expect(Object.keys(taken).sort()).toEqual(['__proto__', 'constructor', 'known']);
    expect(Object.getPrototypeOf(taken)).toBe(Object.prototype);
    for (const value of [null, 5, true, [1], undefined]) expect(coerced({ type: 'integer' }, value)).toEqual(value);
  });

  it('has one type that is not text in every field of every tool, or is text', () => {
    const types = TOOLS.flatMap(({ inputSchema }) =>
      Object.values((inputSchema['properties'] ?? {}) as Record<string, { type?: string }>).map(({ type }) => type),
    );
    expect(new Set(types)).toEqual(new Set(['string', 'integer', 'number', 'boolean', 'array', 'object']));
  });
});
