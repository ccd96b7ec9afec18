import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  forEachAtOnce,
  processStart,
  publishedRoutes,
  publishedTools,
  type Input,
  type Operation,
  type Outcome,
  type Parts,
} from './bad-input-operations.js';
import {
  accepted,
  fieldsOf,
  formsOf,
  isBounded,
  isFree,
  putAt,
  refused,
  type Args,
  type Field,
} from './bad-input-schema.js';
import { newWorld, ROUTE_ROWS, TOOL_ROWS, type Row, type World } from './bad-input-table.js';
import { isInternal } from './hostile-text.js';
import { BARE_ERAS, rest, underTest } from './under-test.js';

const ROWS = { ...TOOL_ROWS, ...ROUTE_ROWS };

/** Published with the other fields, but sent as a file. */
const isFile = ({ schema }: Field): boolean => schema.format === 'binary';
const triedFields = ({ schema }: Input): Field[] => fieldsOf(schema).filter((field) => !isFile(field));

interface Sent {
  readonly what: string;
  readonly parts: Parts;
  readonly field: string;
  readonly limit?: unknown;
}

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? 'undefined';

const put = (parts: Parts, { part, schema }: Input, field: Field, value: unknown, beside: Args = {}): Parts => ({
  ...parts,
  [part]: { ...putAt(parts[part] ?? {}, field.keys, value, schema), ...beside },
});

/** All variants of one input that must be rejected. */
const spoiled = (input: Input, valid: Parts): Sent[] => {
  const { part, place, schema } = input;
  const values = triedFields(input).flatMap((field) =>
    refused(field, place).map(({ value, limit }) => ({
      what: `${field.path} = ${shown(value)}`,
      parts: put(valid, input, field, value),
      field: field.path,
      ...(limit !== undefined && { limit }),
    })),
  );
  if (part === 'path' || part === 'header') return values;
  const missing = (schema.required ?? []).map((field) => {
    const { [field]: _, ...without } = valid[part] ?? {};
    return { what: `no ${field}`, parts: { ...valid, [part]: without }, field };
  });
  const unknown = ['surprise', 'constructor', 'toString'].map((field) => ({
    what: `an unknown ${field}`,
    parts: { ...valid, [part]: { ...valid[part], [field]: 'x' } },
    field,
  }));
  return [...values, ...missing, ...unknown];
};

const escaped = (text: string): string => text.replace(/[[\].]/g, '\\$&');

/** The field is named separately and in the message; the path of a nested part begins with it. */
const names = ({ field = '', message }: Outcome, wanted: string): boolean =>
  new RegExp(`(^|\\.)${escaped(wanted)}($|[.[])`).test(field) && message.includes(wanted.replace(/^.*\./, ''));

const namesLimit = ({ limit, message }: Outcome, wanted: unknown): boolean =>
  JSON.stringify(limit) === JSON.stringify(wanted) && [wanted].flat().every((one) => message.includes(String(one)));

/** The faults of an answer to input that must be rejected; empty if there are none. */
const complaintOf = ({ field, limit }: Sent, outcome: Outcome): string | undefined => {
  if (!outcome.isRefused) return 'was accepted';
  if (outcome.status >= 500 || isInternal(outcome.raw)) return 'exposes internals';
  if (!names(outcome, field)) return `does not name ${field}`;
  if (limit !== undefined && !namesLimit(outcome, limit)) return `does not name the limit ${shown(limit)}`;
  return undefined;
};

const report = (what: string, complaint: string, { raw }: Outcome): string =>
  `${what} ${complaint}: ${raw.slice(0, 300)}`;

describe('bad input', () => {
  let operations: ReadonlyMap<string, Operation>;
  let world: World;

  beforeAll(async () => {
    const all = [...(await publishedTools()), ...(await publishedRoutes())];
    operations = new Map(all.map((operation) => [operation.name, operation]));
    world = await newWorld();
  });

  /** The state that a rejection must not change: the newest op of the workspaces involved, the process, its parts. */
  const state = async (): Promise<unknown> => {
    const newest = async (of: string) => (await rest(of, 'GET', '/ops?limit=1')).body.items[0].id;
    const { components } = (await rest(world.token, 'GET', '/status')).body;
    const failing = components.filter(({ ok }: { ok: boolean }) => !ok);
    return [await newest(world.token), await newest(underTest.token), await processStart(), failing];
  };

  const untouched = async (act: () => Promise<void>): Promise<void> => {
    const before = await state();
    await act();
    expect(await state()).toEqual(before);
  };

  const speakerOf = (row: Row, of: World): string | Promise<string> => row.speaker?.(of) ?? of.token;

  const refusesAll = async (name: string, era?: string): Promise<void> => {
    const [operation, row] = [operations.get(name)!, ROWS[name]!];
    const valid = await row.valid(world);
    const sent = operation.inputs.flatMap((input) => spoiled(input, valid));
    const queries = operation.inputs.some(({ part }) => part === 'query' || part === 'arguments')
      ? []
      : [{ what: 'an unknown parameter', parts: { ...valid, query: { surprise: 1 } }, field: 'surprise' }];
    // Issuing tokens for the calls appends ops too, so it happens first.
    const calls = await Promise.all(
      [...sent, ...queries].map(async (one) => ({ one, by: await speakerOf(row, world) })),
    );
    const complaints: string[] = [];
    await untouched(() =>
      forEachAtOnce(calls, async ({ one, by }) => {
        const outcome = await operation.send(by, one.parts, era);
        const complaint = complaintOf(one, outcome);
        if (complaint) complaints.push(report(one.what, complaint, outcome));
      }),
    );
    expect(complaints).toEqual([]);
    // Every input was rejected for its one fault and reserved no name, so the valid input is still accepted.
    if (operation.name === 'GET /events') return;
    const { isRefused, code, message } = await operation.send(await speakerOf(row, world), valid, era);
    if (isRefused) expect(`${code}: ${message}`).toMatch(row.later ?? /nothing/);
  };

  const acceptsBounds = async (name: string): Promise<void> => {
    const [operation, row] = [operations.get(name)!, ROWS[name]!];
    const sent = operation.inputs.flatMap((input) =>
      triedFields(input).flatMap((field) =>
        accepted(field)
          .filter((value) => !row.never?.[field.path]?.includes(value))
          .flatMap((value) => formsOf(value, input.place))
          .map((value) => ({ input, field, value })),
      ),
    );
    if (sent.length === 0) return;
    const own = await newWorld();
    const complaints: string[] = [];
    await forEachAtOnce(sent, async ({ input, field, value }) => {
      const beside = { ...row.beside?.[field.path]?.(own), ...row.besideBounds?.[field.path]?.(own) };
      const parts = put(await row.valid(own), input, field, value, beside);
      const outcome = await operation.send(await speakerOf(row, own), parts);
      const isLater = row.later?.test(`${outcome.code}: ${outcome.message}`) ?? false;
      if (outcome.isRefused && !isLater)
        complaints.push(report(`${field.path} = ${shown(value)}`, 'was refused', outcome));
    });
    expect(complaints).toEqual([]);
  };

  it('is tested on every tool and every route, and on every field of them', () => {
    expect([...operations.keys()].sort()).toEqual(Object.keys(ROWS).sort());
    const all = [...operations.values()].flatMap(({ name, inputs }) =>
      inputs.flatMap((input) => fieldsOf(input.schema).map((field) => ({ name, ...field }))),
    );
    const shownAs = ({ name, path }: { name: string; path: string }) => `${name} ${path}`;
    expect(all.filter(({ schema }) => !isBounded(schema)).map(shownAs)).toEqual([]);
    const untold = all.filter(({ name, path, schema }) => isFree(schema) && ROWS[name]?.texts?.[path] === undefined);
    expect(untold.map(shownAs)).toEqual([]);
  });

  describe.each(BARE_ERAS)('to a tool in the %s', (era) => {
    it.each(Object.keys(TOOL_ROWS))('%s is rejected with the name of the field and its limit', (name) =>
      refusesAll(name, era),
    );
  });

  it.each(Object.keys(ROUTE_ROWS))('to %s is rejected with the name of the field and its limit', (name) =>
    refusesAll(name),
  );

  it.each(Object.keys(ROWS).filter((name) => name !== 'GET /events'))(
    'does not include a value at a bound of %s',
    acceptsBounds,
  );

  it.each([
    ['GET', 'items', undefined],
    ['PATCH', 'items', { title: 'x' }],
    ['DELETE', 'items', undefined],
    ['DELETE', 'chunks', undefined],
    ['GET', 'folders', undefined],
    ['PATCH', 'folders', { name: 'x' }],
    ['GET', 'ops', undefined],
    ['GET', 'receipts', undefined],
    ['DELETE', 'tokens', undefined],
  ])('on %s /%s/{id} names an unknown id', async (method, noun, body) => {
    const unknown = await rest(world.token, method, `/${noun}/${randomUUID()}`, body);
    expect([unknown.status, unknown.body.error.field]).toEqual([404, 'id']);
  });

  it.each(['kind', 'type'])('on GET /ops allows the %s of ops, and shows nothing of a secret', async (field) => {
    const known = { kind: 'token_issue', type: 'token.issued' }[field];
    const { status, body } = await rest(world.token, 'GET', `/ops?${field}=${known}`);
    expect([status, body.items[0].data]).toEqual([200, expect.objectContaining({ tokenId: expect.any(String) })]);
    for (const op of body.items) expect(op.data).not.toHaveProperty('secretHash');
  });

  it.each([
    ['POST', '/folders', { slug: 'blank', name: '   ' }, 'name'],
    ['PATCH', `/folders/${randomUUID()}`, { name: ' \n ' }, 'name'],
    ['POST', '/items', { title: 'Blank', text: '  \n ' }, 'text'],
    ['POST', '/items', { title: ' ', text: 'x' }, 'title'],
    ['PATCH', `/items/${randomUUID()}`, { title: '\t' }, 'title'],
    ['POST', '/tokens', { name: ' ', scopes: ['read'] }, 'name'],
  ])('on %s %s is rejected when %j is blank in %s', (method, path, body, field) =>
    untouched(async () => {
      const blank = await rest(world.token, method, path, body);
      expect([blank.status, blank.body.error.field]).toEqual([400, field]);
      expect(blank.body.error.message).toBe(`${field} must not be blank`);
    }),
  );
});
