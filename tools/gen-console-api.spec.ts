import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { consoleApi, typeOf, type Schema } from './gen-console-api.mjs';

const typeFor = (schema: z.ZodType): string => typeOf(z.toJSONSchema(schema) as Schema).replace(/\s+/g, ' ');

describe('typeOf', () => {
  it.each([
    [z.int(), 'number'],
    [z.uuid(), 'string'],
    [z.boolean(), 'boolean'],
    [z.literal(true), 'true'],
    [z.enum(['a', 'b']), '"a" | "b"'],
    [z.string().nullable(), 'string | null'],
    [z.array(z.enum(['a', 'b'])), 'readonly ("a" | "b")[]'],
    [z.unknown(), 'unknown'],
    [z.record(z.string(), z.unknown()), 'Readonly<Record<string, unknown>>'],
    [z.object({ a: z.string(), 'b-c': z.int().optional() }), '{ readonly a: string; readonly "b-c"?: number; }'],
    [
      z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]),
      '{ readonly a: number; } | { readonly b: number; }',
    ],
  ])('turns a schema into its type: %#', (schema, type) => {
    expect(typeFor(schema)).toBe(type);
  });

  it('refers to a named schema by its name', () => {
    expect(typeOf({ $ref: '#/components/schemas/Error' })).toBe('Schemas["Error"]');
  });
});

describe('consoleApi', () => {
  it('refers to the answer of another operation if that has all its fields', () => {
    const fields = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, { type: 'string' }]);
    const answering = (own: object) => {
      const properties = { ...Object.fromEntries(fields), ...own };
      const schema = { type: 'object', properties, required: Object.keys(properties) };
      return { responses: { 200: { content: { 'application/json': { schema } } } } };
    };
    const methods = { post: answering({ position: { type: 'integer' } }), get: answering({}) };
    const text = consoleApi({ paths: { '/api/v1/x': methods } }, {}).replace(/\s+/g, ' ');
    expect(text).toContain('readonly answer: Operations["GET /x"]["answer"] & { readonly position: number; };');
  });

  it('names query, body and answer of each operation, and lists the values to choose from', () => {
    const ok = { description: '', content: { 'application/json': { schema: { type: 'string' } } } };
    const parameters = [{ name: 'kind', in: 'query', required: false, schema: { type: 'string', enum: ['a', 'b'] } }];
    const document = { paths: { '/api/v1/items': { get: { parameters, responses: { 200: ok } } } } };
    const text = consoleApi(document, {}).replace(/\s+/g, ' ');
    expect(text).toContain(
      '"GET /items": { readonly query: { readonly kind?: "a" | "b"; }; readonly body: never; readonly answer: string; };',
    );
    expect(text).toContain('CHOICES = { "GET /items": { kind: ["a","b"], }, } as const');
  });
});
