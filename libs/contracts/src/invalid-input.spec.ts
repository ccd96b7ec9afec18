import { describe, expect, it } from '@jest/globals';
import type { AppError } from '@cairn/kernel';
import { z } from 'zod';
import { StoreItem } from './commands.js';
import { parseInput } from './invalid-input.js';
import { NewLink } from './link-commands.js';
import { nearestName } from './nearest-name.js';
import { SearchChunks } from './search-queries.js';

const item = {
  title: 'A title',
  text: 'Some text.',
  inKb: true,
  kind: 'knowledge',
  tags: ['a'],
  source: { kind: 'agent' },
  confidence: 80,
  expiresAt: null,
  surface: 'mcp',
};

const ID = '01900000-0000-7000-8000-000000000001';

const refusalOf = (
  schema: Parameters<typeof parseInput>[0],
  input: unknown,
): Pick<AppError, 'code' | 'message' | 'details'> => {
  try {
    parseInput(schema, input);
  } catch (thrown) {
    const { code, message, details } = thrown as AppError;
    return { code, message, details };
  }
  throw new Error('the input was accepted');
};

const { title: _, ...untitled } = item;
const FIELDS = Object.keys(StoreItem.schema.shape);
const KNOWN = `Known fields: ${FIELDS.join(', ')}`;

describe('refusing input', () => {
  it.each([
    [z.array(z.string()).min(1), [], 'must have at least 1 entry'],
    [z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 entries'],
    [z.string().min(1), '', 'must have at least 1 character'],
    [z.string().max(2), 'abc', 'must have at most 2 characters'],
    [z.int().min(1), 0, 'must be at least 1'],
  ])('uses singular and plural to fit the number', (schema, input, words) => {
    expect(refusalOf(z.object({ value: schema }), { value: input }).message).toBe(`value ${words}`);
  });

  it.each([
    [z.int().min(1).max(100), 'a whole number from 1 to 100'],
    [z.number().int().max(3).nullable(), 'a whole number of at most 3'],
    [z.int().min(0).optional(), 'a whole number of at least 0'],
    [z.int(), 'a whole number'],
    [z.number().min(0).max(1), 'a number from 0 to 1'],
    [z.number(), 'a number'],
  ])('names the expected number when another type is given', (schema, wanted) => {
    for (const input of ['1.5', 'many', '', true, [1]])
      expect(refusalOf(z.object({ value: schema }), { value: input }).message).toBe(`value must be ${wanted}`);
  });

  it('reports that a fraction must be a whole number', () => {
    const message = 'value must be a whole number from 1 to 100';
    expect(refusalOf(z.object({ value: z.int().min(1).max(100) }), { value: 1.5 }).message).toBe(message);
  });

  it('accepts a valid command', () => {
    expect(parseInput(StoreItem.schema, item)).toEqual(item);
  });

  it.each<[string, unknown, string, Record<string, unknown>]>([
    ['a missing field', untitled, 'title is required', { field: 'title' }],
    ['a wrong type', { ...item, inKb: 'yes' }, 'inKb must be of type boolean', { field: 'inKb' }],
    ['null', { ...item, title: null }, 'title must be of type string', { field: 'title' }],
    [
      'a fraction',
      { ...item, confidence: 1.5 },
      'confidence must be a whole number from 0 to 100',
      { field: 'confidence' },
    ],
    [
      'an unknown field',
      { ...item, colour: 'red' },
      `colour is not a known field. ${KNOWN}`,
      { field: 'colour', knownFields: FIELDS },
    ],
    [
      'a misspelt field',
      { ...item, folder_id: 'x' },
      `folder_id is not a known field (did you mean folderId?). ${KNOWN}`,
      { field: 'folder_id', didYouMean: 'folderId', knownFields: FIELDS },
    ],
    [
      'an unknown nested field',
      { ...item, source: { kind: 'agent', secret: 1 } },
      'source.secret is not a known field. Known fields of source: kind, name, uri',
      { field: 'source.secret', knownFields: ['kind', 'name', 'uri'] },
    ],
    [
      'a text that is too long',
      { ...item, title: 'x'.repeat(501) },
      'title must have at most 500 characters, has 501',
      { field: 'title', limit: 500 },
    ],
    ['an empty text', { ...item, text: '' }, 'text must have at least 1 character', { field: 'text', limit: 1 }],
    [
      'a number above its range',
      { ...item, confidence: 101 },
      'confidence must be at most 100',
      { field: 'confidence', limit: 100 },
    ],
    [
      'a number below its range',
      { ...item, confidence: -1 },
      'confidence must be at least 0',
      { field: 'confidence', limit: 0 },
    ],
    [
      'a number far above its range',
      { ...item, confidence: 1e300 },
      'confidence must be at most 100',
      { field: 'confidence', limit: 100 },
    ],
    [
      'an unknown field with a very long name',
      { ...item, ['x'.repeat(100_000)]: 1 },
      `${'x'.repeat(64)} is not a known field. ${KNOWN}`,
      { field: 'x'.repeat(64), knownFields: FIELDS },
    ],
    [
      'a word outside a list',
      { ...item, source: { kind: 'rumour' } },
      'source.kind must be one of agent, human, file, url, connector',
      { field: 'source.kind', limit: ['agent', 'human', 'file', 'url', 'connector'] },
    ],
    [
      'a bad entry of a list',
      { ...item, tags: ['fine', 'not fine'] },
      'tags[1] must be kebab-case: words of a-z and 0-9 joined by hyphens',
      { field: 'tags[1]' },
    ],
    [
      'too many entries',
      { ...item, tags: Array<string>(17).fill('a') },
      'tags must have at most 16 entries',
      { field: 'tags', limit: 16 },
    ],
    ['a value that is not an object', 'hello', 'input must be of type object', { field: 'input' }],
  ])('names field and limit for %s', (_name, input, message, details) => {
    expect(refusalOf(StoreItem.schema, input)).toEqual({ code: 'input.invalid', message, details });
  });

  it('does not offer a type of link that is refused later, and reads it', () => {
    const link = { fromItemId: ID, toItemId: ID, type: 'supersedes', confidence: 1 };
    expect(parseInput(NewLink, link)).toEqual(link);
    const limit = 'supports contradicts elaborates references derived_from follows causes attached_to related'.split(
      ' ',
    );
    expect(refusalOf(NewLink, { ...link, type: 'likes' })).toEqual({
      code: 'input.invalid',
      message: `type must be one of ${limit.join(', ')}`,
      details: { field: 'type', limit },
    });
  });

  it('names all faults at once, and the first one separately', () => {
    const { text: _, ...textless } = item;
    const wrong = { ...textless, confidence: 101, source: { kind: 'rumour', nam: 'x' }, tag: ['a'], colour: 'red' };
    const { message, details } = refusalOf(StoreItem.schema, wrong);
    const kinds = ['agent', 'human', 'file', 'url', 'connector'];
    expect(message).toBe(
      'text is required; source.kind must be one of agent, human, file, url, connector; source.nam is not a known ' +
        'field (did you mean name?); confidence must be at most 100; tag is not a known field; colour is not a known ' +
        `field. Known fields of source: kind, name, uri. ${KNOWN}`,
    );
    expect(details).toEqual({
      field: 'text',
      faults: [
        { field: 'text', message: 'text is required' },
        { field: 'source.kind', message: `source.kind must be one of ${kinds.join(', ')}`, limit: kinds },
        { field: 'source.nam', message: 'source.nam is not a known field (did you mean name?)', didYouMean: 'name' },
        { field: 'confidence', message: 'confidence must be at most 100', limit: 100 },
        { field: 'tag', message: 'tag is not a known field' },
        { field: 'colour', message: 'colour is not a known field' },
      ],
    });
  });

  it('names ten of many faults and counts the others', () => {
    const unknown = Object.fromEntries(Array.from({ length: 40_000 }, (_one, i) => [`key${i}`, i]));
    const many = refusalOf(StoreItem.schema, { ...item, ...unknown });
    expect(many.details['faults']).toHaveLength(10);
    expect(many.message).toMatch(
      /^key0 is not .*; key9 is not a known field; and 39990 further faults\. Known fields: /,
    );
    const tags = refusalOf(z.object({ tags: z.array(z.string()) }), { tags: Array(10_001).fill(1) });
    expect(tags.message).toMatch(/^tags\[0\] must be of type string; .*; and 9991 further faults$/);
  });

  it.each([
    ['topk', ['query', 'topK', 'minScore'], 'topK'],
    ['top_k', ['query', 'topK'], 'topK'],
    ['id', ['item_id'], 'item_id'],
    ['querry', ['query', 'limit'], 'query'],
    ['q', ['query', 'limit'], undefined],
    ['max_results', ['query', 'limit'], undefined],
    ['engram', ['text', 'graphId', 'target_engram'], 'target_engram'],
    ['ключ', ['query'], undefined],
  ])('resolves %s among %j to %s', (given, known, meant) => {
    expect(nearestName(given, known)).toBe(meant);
  });

  it('does not propose a field that is already given', () => {
    const schema = z.strictObject({ query: z.string(), limit: z.int().optional() });
    expect(refusalOf(schema, { query: 'x', querry: 'y' }).details).not.toHaveProperty('didYouMean');
  });

  it.each([
    ['no optional field that only contains its name', { from: 'Alice' }, undefined],
    ['a required field that contains its name', { subj: 'Alice' }, 'subject'],
    ['a misspelt optional field', { valid_from: '2027-01-01' }, 'validFrom'],
    ['the optional field with its own spelling', { subject_type: 'person' }, 'subjectType'],
    [
      'an optional field that contains its name, if none is missing',
      { subject: 'a', object: 'b', from: 'c' },
      'validFrom',
    ],
  ])('proposes %s', (_name, input, meant) => {
    const optional = z.string().optional();
    const schema = z.strictObject({
      subject: z.string(),
      object: z.string(),
      subjectType: optional,
      validFrom: optional,
    });
    const { details } = refusalOf(schema, input);
    const faults = (details['faults'] ?? [details]) as readonly { didYouMean?: string; message?: string }[];
    expect(faults.flatMap(({ didYouMean }) => didYouMean ?? [])).toEqual(meant === undefined ? [] : [meant]);
  });

  it('does not quote the input', () => {
    const secret = 'hunter2-hunter2';
    const { message, details } = refusalOf(SearchChunks.schema, {
      query: 'x',
      limit: secret,
      mode: secret,
      explain: true,
    });
    expect(JSON.stringify({ message, details })).not.toContain(secret);
  });
});
