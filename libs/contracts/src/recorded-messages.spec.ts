import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { CALLER_COMMANDS } from './commands.js';
import { Request } from './envelope.js';
import { LedgerEntry } from './forget-ledger.js';
import { ForgottenChunks } from './forgetting-events.js';
import { Applied, IngestAlive, Notice, PostedToStream, ReadModelsReplacing, TokenWrote } from './notice.js';
import { EMBEDDER_QUERIES, INGEST_QUERIES, SEARCH_QUERIES } from './queries.js';
import * as subjects from './subjects.js';
import { Uuid } from './text.js';
import { droppingUnknown, keepingUnknown } from './tolerant.js';
import { VectorMessage } from './vector-message.js';
import { VectorModels } from './vector-models.js';
import { withUnknown } from './with-unknown.builder.js';
import { withoutUnknown } from './without-unknown.js';

const folder = new URL('../fixtures/messages/', import.meta.url);
const recorded = (name: string): unknown => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));

/** Recorded by tools/record-messages.mjs. */
interface Exchange {
  readonly request: Request;
  readonly reply: { readonly ok: object };
}

/** By subject. */
const EXCHANGES = new Map<string, readonly [request: z.ZodType, answer: z.ZodType]>(
  [
    ...CALLER_COMMANDS.map(({ type, schema, result }) => [subjects.commandSubject(type), schema, result] as const),
    ...[...SEARCH_QUERIES, ...EMBEDDER_QUERIES, ...INGEST_QUERIES].map(
      ({ type, schema, answer }) => [subjects.querySubject(type), schema, answer] as const,
    ),
  ].map(([subject, data, answer]) => [subject, [Request.extend({ data }), answer]]),
);

/** By subject, without ids; notices to the console, which share one, by what they are about. */
const NOTICES = new Map<string, z.ZodType>([
  ...Notice.options.map(({ shape }) => [subjects.noticeSubject(shape.about.value), Notice] as const),
  [subjects.TOKEN_REVOKED_SUBJECT, Uuid],
  [subjects.FORGOTTEN_CHUNKS_SUBJECT, ForgottenChunks],
  [subjects.PURGE_WANTED_SUBJECT, z.literal('')],
  [subjects.INGEST_ALIVE_SUBJECT, IngestAlive],
  [subjects.REPLACING_SUBJECT, ReadModelsReplacing],
  [subjects.APPLIED_SUBJECT, Applied],
  [subjects.LEASE_FREED_SUBJECT, z.string().min(1)],
  ['gw.sse', PostedToStream],
  [subjects.SESSION_ENDED_SUBJECT, z.string().min(1)],
  [subjects.TOKEN_WROTE_SUBJECT, TokenWrote],
]);

/** What one service stores and another reads. */
const RECORDS = new Map<string, z.ZodType>([
  ['vectors', VectorMessage],
  ['forgotten', LedgerEntry],
  [`KV.${subjects.VECTOR_MODELS_BUCKET}.models`, VectorModels],
]);

describe('the recorded messages between services', () => {
  it('include every command, query, notice and record, and nothing else', () => {
    const names = [EXCHANGES, NOTICES, RECORDS].flatMap((contracts) => [...contracts.keys()]);
    expect(readdirSync(folder).sort()).toEqual(names.map((name) => `${name}.json`).sort());
  });

  it('cover every subject of a notice', () => {
    const constants = Object.entries(subjects).filter(([name]) => /(?<!PLACEHOLDER)_SUBJECT$/.test(name));
    expect(constants.filter(([, subject]) => typeof subject === 'string' && !NOTICES.has(subject))).toEqual([]);
  });

  it.each([...EXCHANGES])('are read by the service that answers %s', (name, [schema]) => {
    const { request } = recorded(name) as Exchange;
    const reader = droppingUnknown(schema);
    const read = reader.parse(request);
    expect(read).toMatchObject(request);
    expect(reader.parse(withUnknown(schema, request))).toEqual(read);
  });

  it.each([...EXCHANGES])('are read by the caller of %s', (name, [, answer]) => {
    const { ok } = (recorded(name) as Exchange).reply;
    expect(answer.parse(ok)).toMatchObject(ok);
    expect(withoutUnknown(answer, withUnknown(answer, ok))).toEqual(ok);
  });

  it.each([...NOTICES])('are read by the receivers of %s', (name, schema) => {
    const reader = droppingUnknown(schema);
    expect(reader.parse(withUnknown(schema, recorded(name)))).toEqual(reader.parse(recorded(name)));
  });

  it.each([...RECORDS])('are read from %s, and keep fields of a newer version', (name, schema) => {
    const newer = withUnknown(schema, recorded(name));
    expect(keepingUnknown(schema).parse(recorded(name))).toEqual(recorded(name));
    expect(keepingUnknown(schema).parse(newer)).toEqual(newer);
  });
});
