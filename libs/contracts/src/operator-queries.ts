import { z } from 'zod';
import { EventKind, EventTypeName, type EventData } from './events.js';
import { defineQuery, page, type Page } from './query-definition.js';
import { IsoTime, Uuid } from './text.js';

export interface OpView {
  readonly id: string;
  readonly position: number;
  readonly kind: string;
  readonly type: string;
  readonly at: string;
  readonly actor: { readonly kind: string; readonly tokenId: string; readonly agentId: string };
  readonly data: Readonly<Record<string, unknown>>;
  /** What it was about, under its present title; null for an op about no item. */
  readonly item: { readonly id: string; readonly title: string } | null;
}

export const ListOps = defineQuery<Page<OpView>>()(
  'ops.list',
  z.strictObject({
    ...page,
    kind: EventKind.optional(),
    type: EventTypeName.optional(),
    itemId: Uuid.optional(),
    from: IsoTime.optional(),
    to: IsoTime.optional(),
  }),
);
export const GetOp = defineQuery<OpView>()('op.get', z.strictObject({ opId: Uuid }));

/** What has become of a forgetting, and the proof of it once there is one. */
export interface ReceiptView {
  readonly id: string;
  readonly itemId: string;
  readonly chunkIds: readonly string[];
  readonly sourceRemoved: boolean;
  readonly position: number;
  readonly status: 'pending' | 'issued';
  /** When each stage was reached; null is not yet. */
  readonly stages: {
    readonly invisible: string;
    readonly shredded: string | null;
    readonly purged: string | null;
  };
  readonly receipt: EventData<'receipt.issued'> | null;
}

export const GetReceipt = defineQuery<ReceiptView>()('receipt.get', z.strictObject({ receiptId: Uuid }));

export interface ReceiptKeyView {
  readonly keyId: string;
  readonly algorithm: 'Ed25519';
  /** SPKI, PEM. */
  readonly publicKey: string;
}

export const GetReceiptKey = defineQuery<ReceiptKeyView>()('receipt.key', z.strictObject({}));

export interface ProjectionView {
  readonly name: string;
  readonly version: number;
  readonly stream: string;
  readonly checkpoint: number;
  readonly head: number;
  readonly lagOps: number;
  /** Age of the oldest op that is not applied yet. */
  readonly lagSeconds: number;
}

export const GetProjections = defineQuery<{ readonly items: readonly ProjectionView[] }>()(
  'projections.get',
  z.strictObject({}),
);

/** Under which KEK the data keys are. */
export interface KeysView {
  /** Names the current one; says nothing about it. */
  readonly kekId: string;
  /** `none`: no previous ones are given. `done`: nothing is under a previous one any more. */
  readonly rotation: 'none' | 'running' | 'done';
  /** When all keys were last looked at. */
  readonly checkedAt: string | null;
}

/** Answered by ingest. */
export interface IngestView {
  readonly keys: KeysView;
  /** Why the broker takes no writes, and what to do; absent while it does. */
  readonly brokerProblem?: string;
}
export const GetIngest = defineQuery<IngestView>()('ingest.get', z.strictObject({}));

export interface StatusView {
  readonly components: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly version?: string;
    readonly note?: string;
  }[];
  readonly degraded: boolean;
  /** Absent while ingest is away. */
  readonly keys?: KeysView;
}

export const GetStatus = defineQuery<StatusView>()('status.get', z.strictObject({}));
