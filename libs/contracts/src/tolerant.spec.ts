import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { COMMANDS } from './commands.js';
import { OpEnvelope, Request } from './envelope.js';
import { EVENTS } from './events.js';
import { LedgerEntry } from './forget-ledger.js';
import { parseInput } from './invalid-input.js';
import { Notice } from './notice.js';
import { EMBEDDER_QUERIES, INGEST_QUERIES, SEARCH_QUERIES } from './queries.js';
import { droppingUnknown, keepingUnknown, messageIn } from './tolerant.js';
import { VectorMessage } from './vector-message.js';
import { VectorModels } from './vector-models.js';

const Inner = z.strictObject({ id: z.string() });
const Everything = z.strictObject({
  inner: Inner,
  list: z.array(Inner).max(2),
  maybe: Inner.optional(),
  exact: Inner.exactOptional(),
  nothing: Inner.nullable(),
  tags: z.array(z.string()).default([]),
  byName: z.record(z.string(), Inner),
  either: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('a'), a: Inner }),
    z.strictObject({ kind: z.literal('b') }),
  ]),
  piped: Inner.transform(({ id }) => id),
  open: z.looseObject({ id: z.string() }),
});

const inner = { id: 'x' };
const known = {
  inner,
  list: [inner],
  maybe: inner,
  exact: inner,
  nothing: inner,
  tags: ['t'],
  byName: { one: inner },
  either: { kind: 'a', a: inner },
  piped: inner,
  open: { id: 'x', more: 1 },
};
const newInner = { id: 'x', since: 2 };
const newer = {
  since: 2,
  inner: newInner,
  list: [newInner],
  maybe: newInner,
  exact: newInner,
  nothing: newInner,
  tags: ['t'],
  byName: { one: newInner },
  either: { kind: 'a', a: newInner, since: 2 },
  piped: newInner,
  open: { id: 'x', more: 1 },
};

describe('reading what a newer version of Cairn has written', () => {
  it('drops unknown fields at every level of a message, and nothing else', () => {
    expect(droppingUnknown(Everything).parse(newer)).toEqual(Everything.parse(known));
  });

  it('keeps unknown fields at every level of stored data', () => {
    expect(keepingUnknown(Everything).parse(newer)).toEqual({ ...newer, piped: 'x' });
  });

  it('still refuses what does not fit', () => {
    expect(droppingUnknown(Everything).safeParse({ ...newer, list: [inner, inner, inner] }).success).toBe(false);
    expect(droppingUnknown(Everything).safeParse({ ...newer, either: { kind: 'c' } }).success).toBe(false);
    expect(keepingUnknown(Everything).safeParse({ ...newer, inner: { since: 2 } }).success).toBe(false);
  });

  it('keeps the checks of an object and gives each value a default of its own', () => {
    const Odd = Inner.refine(({ id }) => id !== 'even', 'must be odd');
    expect(droppingUnknown(Odd).safeParse({ id: 'even', since: 2 }).success).toBe(false);
    const { tags: _, ...untagged } = newer;
    const [one, other] = [droppingUnknown(Everything).parse(untagged), droppingUnknown(Everything).parse(untagged)];
    expect(one.tags).toEqual([]);
    expect(one.tags).not.toBe(other.tags);
  });

  it('leaves the schema strict for input from outside', () => {
    droppingUnknown(Everything);
    expect(() => parseInput(Everything, newer)).toThrow('since is not a known field');
  });

  it('reports a message that is not readable as none', () => {
    expect(messageIn(Inner, '{"id":"x","since":2}')).toEqual(inner);
    expect(messageIn(Inner, '{"since":2}')).toBeUndefined();
    expect(messageIn(Inner, '{')).toBeUndefined();
  });
});

/** An object that refuses unknown fields says so in its JSON Schema. */
const refusesUnknown = (schema: z.ZodType): boolean =>
  JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).includes(
    '"additionalProperties":false',
  );

describe('every contract between services', () => {
  const contracts: readonly (readonly [string, z.ZodType])[] = [
    ...EVENTS.map(({ type, schema }) => [type, schema] as const),
    ...COMMANDS.map(({ type, schema }) => [type, schema] as const),
    ...[...SEARCH_QUERIES, ...EMBEDDER_QUERIES, ...INGEST_QUERIES].map(({ type, schema }) => [type, schema] as const),
    ['an op', OpEnvelope],
    ['a request', Request],
    ['a notice', Notice],
    ['a vector', VectorMessage],
    ['the vector models', VectorModels],
    ['an entry of the forget ledger', LedgerEntry],
  ];

  it.each(contracts)('is read without refusing unknown fields: %s', (_, schema) => {
    expect(refusesUnknown(droppingUnknown(schema))).toBe(false);
    expect(refusesUnknown(keepingUnknown(schema))).toBe(false);
  });

  it('is strict as it stands, so that this test would notice a part that stays strict', () => {
    expect(refusesUnknown(OpEnvelope)).toBe(true);
  });
});
