// The reference page of subjects, streams and requests.
import * as contracts from '@cairn/contracts';
import { code, fieldsOf, NOTE, table } from './gen-docs-markdown.mjs';

/** @import { z } from 'zod' */
/** @typedef {{ name: string, subjects: string, example: string, holds: string }} Store */

/** @type {Store[]} */
const STREAMS = [
  {
    name: contracts.OPLOG_STREAM,
    subjects: contracts.OPLOG_SUBJECTS,
    example: contracts.oplogSubject('<workspaceId>', 'item').replace(/item$/, '<noun>'),
    holds: 'every op',
  },
  {
    name: contracts.VECTORS_STREAM,
    subjects: contracts.VECTORS_SUBJECTS,
    example: contracts.vectorSubject('<workspaceId>', '<itemId>'),
    holds: 'one vector per chunk, text and model',
  },
  {
    name: contracts.FORGOTTEN_STREAM,
    subjects: contracts.FORGOTTEN_SUBJECTS,
    example: contracts.forgottenSubject('<workspaceId>', '<receiptId>'),
    holds: 'the forget ledger: ids of what was forgotten',
  },
  {
    name: contracts.RATES_STREAM,
    subjects: contracts.RATES_SUBJECTS,
    example: contracts.rateSubject('<tokenId>', '<bucket>', 0).replace(/0$/, '<hour>'),
    holds: 'calls of a token in an hour, as a counter',
  },
  {
    name: contracts.BUDGETS_STREAM,
    subjects: contracts.BUDGETS_SUBJECTS,
    example: contracts.meshTokensSubject('<workspaceId>', '<day>'),
    holds: 'tokens that a workspace has fetched in a day, and uses of a confirmation, as counters',
  },
  {
    name: contracts.SIGN_INS_STREAM,
    subjects: contracts.SIGN_INS_SUBJECTS,
    example: contracts.signInSubject('<hash of the code>'),
    holds: 'tokens that sign-in codes stand for, sealed by the code, for 15 minutes',
  },
];

/** @type {Store[]} */
const BUCKETS = [
  {
    name: contracts.KEYS_BUCKET,
    subjects: '',
    example: '<workspaceId>.<itemId>',
    holds: 'wrapped keys, one record per item, and one of the installation',
  },
  {
    name: contracts.CORRECTIONS_BUCKET,
    subjects: '',
    example: '<workspaceId>.<correctionId>',
    holds: 'proposed texts, sealed, for 15 minutes',
  },
  {
    name: contracts.VECTOR_MODELS_BUCKET,
    subjects: '',
    example: 'models',
    holds: 'which vectors searches use, which are being made beside them, and which are kept for a rollback',
  },
  {
    name: contracts.LEASES_BUCKET,
    subjects: '',
    example: 'work-<layouts>',
    holds: 'which ingest runs the projectors and the background work, renewed every second',
  },
];

/** Fails on a stream or bucket in the contracts that this page does not describe. */
const assertComplete = () => {
  const described = [...STREAMS, ...BUCKETS].map(({ name }) => name);
  const missing = Object.entries(contracts)
    .filter(([constant]) => /_(STREAM|BUCKET)$/.test(constant))
    .filter(([, name]) => typeof name === 'string' && !described.includes(name))
    .map(([constant]) => constant);
  if (missing.length > 0) throw new Error(`tools/gen-docs-subjects.mjs does not describe ${missing.join(', ')}`);
};

const storeRows = () => [
  ...STREAMS.map(({ name, subjects, example, holds }) => [name, code(subjects), code(example), holds]),
  ...BUCKETS.map(({ name, example, holds }) => [`KV ${name}`, '', code(example), holds]),
];

const SHARED = [
  [contracts.INGEST_QUEUE, 'queue group', 'commands'],
  [contracts.SEARCH_QUEUE, 'queue group', 'queries'],
  [contracts.EMBEDDER_QUEUE, 'queue group', 'queries that need a model'],
  [
    contracts.FORGOTTEN_CHUNKS_SUBJECT,
    'subject of ingest',
    'every search, which answers: ids of chunks whose vectors leave its memory',
  ],
  [
    contracts.REPLACING_SUBJECT,
    'subject of ingest',
    'every search and ingest, which answers if it could not read the read models that would replace the live ones',
  ],
  [contracts.TOKEN_REVOKED_SUBJECT, 'subject of ingest', 'every gateway: the id of a token that was revoked'],
  [
    code(contracts.noticeSubject('<workspaceId>')),
    'subject of ingest',
    'every gateway with an open `GET /events`: ids and positions of what has changed',
  ],
  [
    contracts.INGEST_ALIVE_SUBJECT,
    'subject of ingest',
    'every gateway: the id of a replica that takes commands, every second, and at its stop',
  ],
  [
    code(contracts.ownSubject(contracts.commandSubject('<type>'), '<replicaId>')),
    'subject of one ingest',
    'commands of the workspaces that fall to this replica',
  ],
  [contracts.APPLIED_SUBJECT, 'subject of ingests', 'every ingest: the position that a projection has reached'],
  [contracts.LEASE_FREED_SUBJECT, 'subject of ingests', 'every ingest: the name of a lease that was given up'],
  [
    code(contracts.sseMessagesSubject('<replicaId>')),
    'subject of gateways',
    'the gateway that holds the SSE stream, which answers: a message that was posted to another gateway',
  ],
  [
    contracts.SESSION_ENDED_SUBJECT,
    'subject of gateways',
    'every gateway, which answers: the name of an MCP session that its client has ended',
  ],
  [contracts.TOKEN_WROTE_SUBJECT, 'subject of gateways', 'every gateway: a token and the position of its latest write'],
  [
    code(contracts.embedConsumer('model').replace(/model$/, '<model>')),
    `durable consumer of ${contracts.OPLOG_STREAM}`,
    contracts.OPLOG_TEXT_FILTERS.map(code).join(', '),
  ],
];

/** @param {readonly { type: string, schema: z.ZodType }[]} definitions @param {(type: string) => string} subjectOf */
const requests = (definitions, subjectOf) =>
  definitions.map(({ type, schema }) => `### \`${subjectOf(type)}\`\n\n${fieldsOf(schema)}`).join('\n\n');

export const subjectsPage = () => {
  assertComplete();
  return `# Subjects

${NOTE} Ids in subjects are UUIDs; no subject carries personal data.

## Streams and buckets

${table(['name', 'subjects', 'one of them', 'holds'], storeRows())}

## Who shares what

${table(['name', 'is a', 'takes'], SHARED)}

Only gateways may publish or subscribe below \`${contracts.GATEWAY_SUBJECTS}\`, and only ingests below \`${contracts.INGEST_SUBJECTS}\`.

## The request envelope

A request is JSON, a reply is \`{"ok": …}\` or \`{"error": {code, kind, message, details}}\`.

${fieldsOf(contracts.Request)}

## Commands (answered by ingest)

Every answer carries \`position\`, the place in the log at which the effect is visible.

${requests(contracts.CALLER_COMMANDS, contracts.commandSubject)}

## Queries (answered by search)

${requests(contracts.SEARCH_QUERIES, contracts.querySubject)}

## Queries (answered by the embedder)

${requests(contracts.EMBEDDER_QUERIES, contracts.querySubject)}

## Queries (answered by ingest)

${requests(contracts.INGEST_QUERIES, contracts.querySubject)}
`;
};
