import { z } from 'zod';
import { Id, pageOf, Time, type Wire } from './answer.js';
import { EventKind, EventTypeName } from './events.js';
import { ReceiptIssued } from './forgetting-events.js';
import { defineQuery, page } from './query-definition.js';
import { IsoTime, Uuid } from './text.js';

export const OpView = z.object({
  id: Id,
  position: z.int(),
  kind: z.string(),
  type: z.string(),
  at: Time,
  actor: z.object({ kind: z.string(), tokenId: Id, agentId: z.string() }),
  data: z.record(z.string(), z.unknown()),
  item: z
    .object({ id: Id, title: z.string().describe('As it is now; "<forgotten>" where the item is gone.') })
    .nullable()
    .describe('The item that the op is about; null for an op about no item.'),
});
export type OpView = Wire<typeof OpView>;

export const ListOps = defineQuery(
  'ops.list',
  z.strictObject({
    ...page,
    kind: EventKind.optional(),
    type: EventTypeName.optional(),
    itemId: Uuid.optional(),
    from: IsoTime.optional(),
    to: IsoTime.optional(),
  }),
  pageOf(OpView),
);
export const GetOp = defineQuery('op.get', z.strictObject({ opId: Uuid }), OpView);

/** The progress of a forgetting, and its proof once there is one. */
export const ReceiptView = z.object({
  id: Id,
  itemId: Id,
  chunkIds: z.array(Id),
  sourceRemoved: z.boolean(),
  position: z.int().describe('Of the op that forgot it.'),
  status: z.enum(['pending', 'issued']),
  stages: z
    .object({ invisible: Time, shredded: Time.nullable(), purged: Time.nullable() })
    .describe('When no reader found it any more; when its keys, messages and rows were gone; when its bytes were.'),
  receipt: ReceiptIssued.schema.nullable().describe('Signed; null while it is pending.'),
});
export type ReceiptView = Wire<typeof ReceiptView>;

export const GetReceipt = defineQuery('receipt.get', z.strictObject({ receiptId: Uuid }), ReceiptView);

export const ReceiptKeyView = z.object({
  keyId: z.string(),
  algorithm: z.literal('Ed25519'),
  publicKey: z.string().describe('SPKI, PEM.'),
});
export type ReceiptKeyView = Wire<typeof ReceiptKeyView>;

export const GetReceiptKey = defineQuery('receipt.key', z.strictObject({}), ReceiptKeyView);

const ProjectionView = z.object({
  name: z.string(),
  version: z.int(),
  stream: z.string(),
  checkpoint: z.int(),
  head: z.int(),
  lagOps: z.int(),
  /** Age of the oldest op that has not been applied yet. */
  lagSeconds: z.number(),
});
export type ProjectionView = Wire<typeof ProjectionView>;

export const ProjectionsView = z.object({ items: z.array(ProjectionView) });

export const GetProjections = defineQuery('projections.get', z.strictObject({}), ProjectionsView);

const KeysView = z.object({
  kekId: z.string().describe('Names the current KEK; says nothing about it.'),
  rotation: z.enum(['none', 'running', 'done']).describe('done: nothing is under a previous KEK any more.'),
  checkedAt: z.string().nullable().describe('When all keys were last looked at.'),
});
export type KeysView = Wire<typeof KeysView>;

const IngestView = z.object({
  keys: KeysView,
  /** Why the broker rejects writes, and what to do; absent while it accepts them. */
  brokerProblem: z.string().exactOptional(),
  /** Streams that were lost or set back, or that have too few replicas; absent while there are none. */
  streamProblems: z.array(z.string()).exactOptional(),
  /** The replica that runs the projectors and the background work; absent if there is only one, or none is known. */
  worker: z.string().exactOptional(),
  /** The op of a newer version at which a projection waits, and what to do; absent while none does. */
  held: z.string().exactOptional(),
});
export type IngestView = Wire<typeof IngestView>;

/** Answered by ingest. */
export const GetIngest = defineQuery('ingest.get', z.strictObject({}), IngestView);

export const StatusView = z.object({
  components: z.array(
    z.object({
      name: z.string(),
      ok: z.boolean(),
      version: z.string().exactOptional(),
      note: z.string().exactOptional(),
    }),
  ),
  degraded: z.boolean(),
  keys: KeysView.exactOptional().describe('Which KEK wraps the data keys; absent while ingest is unavailable.'),
});
export type StatusView = Wire<typeof StatusView>;

export const GetStatus = defineQuery('status.get', z.strictObject({}), StatusView);
