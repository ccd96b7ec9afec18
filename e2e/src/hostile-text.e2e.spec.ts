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
import { fieldsOf, isFree, putAt, type Field } from './bad-input-schema.js';
import { newWorld, ROUTE_ROWS, TOOL_ROWS, type Row, type World } from './bad-input-table.js';
import { HOSTILE, isInternal, LONE_SURROGATES, NUL } from './hostile-text.js';
import { callRpc, rest, rpc } from './under-test.js';

const ROWS = { ...TOOL_ROWS, ...ROUTE_ROWS };
const TEXTS = HOSTILE.map(([, text]) => text);

interface Trial {
  readonly input: Input;
  readonly field: Field;
  readonly text: string;
}

const isText = ({ schema }: Field): boolean => schema.type === 'string' && schema.format !== 'binary';

/** A header is printable ASCII; no client can send anything else. */
const canBeSent = ({ part, place }: Input, text: string): boolean =>
  part === 'header' ? /^[ -~]+$/.test(text) : place !== 'text' || text.isWellFormed();

/** A text may be too short for a field. */
const padded = (text: string, { minLength = 0 }: Field['schema']): string =>
  [...text].length < minLength ? text + '.'.repeat(minLength) : text;

/** A text that happens to match the pattern of a field is valid. */
const fits = (text: string, { pattern }: Field['schema']): boolean =>
  pattern !== undefined && new RegExp(pattern).test(text);

const trialsOf = ({ inputs }: Operation, texts: readonly string[], isWanted: (field: Field) => boolean): Trial[] =>
  inputs.flatMap((input) =>
    fieldsOf(input.schema)
      .filter((field) => isText(field) && isWanted(field))
      .flatMap((field) =>
        texts
          .filter((text) => canBeSent(input, text) && !fits(text, field.schema))
          .map((text) => ({ input, field, text: padded(text, field.schema) })),
      ),
  );

type Complaint = string | undefined;

/** The name of the field, alone or at the end of a longer path; a query parameter may be a list of one. */
const names = ({ field = '', message }: Outcome, { path }: Field): boolean =>
  [path, `${path}[0]`].some((name) => field === name || field.endsWith(`.${name}`)) &&
  message.includes(path.replace(/^.*\./, ''));

const isRefusedByName = ({ field }: Trial, outcome: Outcome): Complaint =>
  outcome.isRefused && names(outcome, field) ? undefined : 'is not refused by name';

/** Also accepts the error for a value outside a list, since a parameter may hold a list. */
const isRefusedAsNoText = (trial: Trial, outcome: Outcome): Complaint =>
  isRefusedByName(trial, outcome) ??
  (/NUL|surrogate|must be one of/.test(outcome.message) ? undefined : 'is refused without the reason');

describe('hostile text', () => {
  let operations: ReadonlyMap<string, Operation>;

  beforeAll(async () => {
    const all = [...(await publishedTools()), ...(await publishedRoutes())];
    operations = new Map(all.map((operation) => [operation.name, operation]));
  });

  const newestOp = async ({ token }: World): Promise<string> =>
    (await rest(token, 'GET', '/ops?limit=1')).body.items[0].id;

  const partsOf = ({ beside }: Row, world: World, valid: Parts, { input, field, text }: Trial): Parts => {
    const own = putAt(valid[input.part] ?? {}, field.keys, text, input.schema);
    return { ...valid, [input.part]: { ...own, ...beside?.[field.path]?.(world) } };
  };

  describe.each(Object.keys(ROWS).filter((name) => name !== 'GET /events'))('to %s', (name) => {
    const row = ROWS[name]!;
    /** Created on first use. */
    let world: World | undefined;

    const speaker = async (of: World): Promise<string> => (await row.speaker?.(of)) ?? of.token;

    const tryAll = async (
      trials: readonly Trial[],
      send: (trial: Trial, own: World) => Promise<Outcome>,
      complaintOf: (trial: Trial, outcome: Outcome, own: World) => Complaint | Promise<Complaint>,
    ): Promise<void> => {
      const own = (world ??= await newWorld());
      const started = await processStart();
      const complaints: string[] = [];
      await forEachAtOnce(trials, async (trial) => {
        const outcome = await send(trial, own);
        const isInside = outcome.status >= 500 || (outcome.isRefused && isInternal(outcome.raw));
        const complaint = isInside ? 'tells of the inside' : await complaintOf(trial, outcome, own);
        const { field, text } = trial;
        if (complaint)
          complaints.push(`${field.path} = ${JSON.stringify(text)} ${complaint}: ${outcome.raw.slice(0, 300)}`);
      });
      expect(complaints).toEqual([]);
      expect(await processStart()).toBe(started);
    };

    const refusesAll = async (
      texts: readonly string[],
      isWanted: (field: Field) => boolean,
      complaintOf: (trial: Trial, outcome: Outcome) => Complaint,
    ): Promise<void> => {
      const operation = operations.get(name)!;
      const trials = trialsOf(operation, texts, isWanted);
      if (trials.length === 0) return;
      const own = (world ??= await newWorld());
      const valid = await row.valid(own);
      // Issuing tokens for the calls appends ops too, so it happens first.
      const speakers = await Promise.all(trials.map(() => speaker(own)));
      const before = await newestOp(own);
      const send = (trial: Trial) => operation.send(speakers.pop()!, partsOf(row, own, valid, trial));
      await tryAll(trials, send, complaintOf);
      expect(await newestOp(own)).toBe(before);
    };

    it('is rejected with the name of the field if the field has a format', () =>
      refusesAll([...TEXTS, NUL, ...LONE_SURROGATES], ({ schema }) => !isFree(schema), isRefusedByName));

    it('that is not valid text is rejected with the name of the field', () =>
      refusesAll([NUL, ...LONE_SURROGATES], ({ schema }) => isFree(schema), isRefusedAsNoText));

    it('is plain text if the field is free text', async () => {
      const operation = operations.get(name)!;
      const trials = trialsOf(operation, TEXTS, ({ schema }) => isFree(schema));
      if (trials.length === 0) return;
      const send = async (trial: Trial, own: World) =>
        operation.send(await speaker(own), partsOf(row, own, await row.valid(own), trial));
      await tryAll(trials, send, async ({ field, text }, outcome, own) => {
        const fate = row.texts![field.path]!;
        const failure = `${outcome.code}: ${outcome.message}`;
        if (fate instanceof RegExp) return outcome.isRefused && fate.test(failure) ? undefined : `is not ${fate}`;
        if (outcome.isRefused && !row.later?.test(failure)) return 'is refused';
        if (fate === 'searched' || fate === 'kept secret') return undefined;
        const stored = await fate(outcome.answer, own);
        return stored === text.normalize('NFC') ? undefined : `is kept as ${JSON.stringify(stored)}`;
      });
    });
  });

  describe('as the name of a file', () => {
    let world: World;
    beforeAll(async () => {
      world = await newWorld();
    });

    const upload = (fileName: string): Promise<Outcome> =>
      operations.get('POST /items (form)')!.send(world.token, { form: { file: [fileName, 'A text.'], inKb: false } });

    /** The way every client writes a file name into a form; only the last part of a path is the name. */
    const asSent = (name: string): string =>
      name
        .replaceAll('\r', '%0D')
        .replaceAll('\n', '%0A')
        .replaceAll('"', '%22')
        .replace(/^.*[/\\]/, '');

    const CONTROL = /[^\P{Cc}\r\n\u0080-\u009f]/u;

    it.each(HOSTILE.filter(([, text]) => !CONTROL.test(text)))('is accepted as a name: %s', async (_, text) => {
      const { isRefused, raw, answer } = await upload(`${text}.txt`);
      expect([isRefused, raw]).toEqual([false, raw]);
      const { source, content } = (await rest(world.token, 'GET', `/items/${answer.id}`)).body;
      expect(source.name).toBe(asSent(`${text}.txt`).normalize('NFC'));
      expect(content).toBe('A text.');
    });

    it.each([NUL, '\u001b[2J', 'a\u0007b'])(
      'with the control characters of %j is rejected, and nothing is stored',
      async (text) => {
        const before = await newestOp(world);
        const { status, field, raw } = await upload(`${text}.txt`);
        // They are not allowed in a header, so the form around the file is at fault.
        expect([status, field, isInternal(raw)]).toEqual([400, 'body', false]);
        expect(await newestOp(world)).toBe(before);
      },
    );
  });

  it('around a tool call is rejected, and the call is not made', async () => {
    const { token } = await newWorld();
    for (const [, text] of HOSTILE) {
      const asked = [
        { method: 'tools/call', params: { name: text, arguments: {} } },
        { method: 'tools/list', params: { cursor: text } },
        { method: 'resources/read', params: { uri: text } },
        { method: 'prompts/get', params: { name: text } },
        { method: text, params: {} },
      ];
      for (const request of asked) {
        const { status, body } = await rpc(token, { jsonrpc: '2.0', id: text, ...request });
        expect([request, status, body.id]).toEqual([request, 200, text]);
        expect([-32601, -32602]).toContain(body.error.code);
        expect(isInternal(JSON.stringify(body.error))).toBe(false);
      }
    }
  });

  it('in a query is literal: database wildcards match only texts that contain them', async () => {
    const { token } = await newWorld();
    const titles = ['100%_sure', 'plain', 'back\\slash'];
    for (const title of titles) await callRpc(token, 'store_knowledge', { title, body: 'A body.' });
    const titlesFor = async (query: string): Promise<string[]> => {
      const { body } = await callRpc(token, 'search_knowledge', { query, explain: true });
      const hits: any[] = body.result.structuredContent.hits;
      return hits
        .filter(({ explain }) => explain.legs.some(({ leg, rank }: any) => leg === 'title' && rank !== null))
        .map(({ title }) => title);
    };
    expect(await titlesFor('%')).toEqual(['100%_sure']);
    expect(await titlesFor('_')).toEqual(['100%_sure']);
    expect(await titlesFor('\\')).toEqual(['back\\slash']);
    expect(await titlesFor('pl_in')).toEqual([]);
  });
});
