import { z } from 'zod';
import type { ErrorKind } from '@cairn/kernel';
import type { Wire } from './answer.js';
import { KeyedHash } from './event-definition.js';
import { Principal } from './principal.js';
import { Uuid } from './text.js';

/** Who caused an op. Ids only: names live in projections, where they can be forgotten. */
export const Actor = z.strictObject({
  kind: z.enum(['token', 'system']),
  tokenId: Uuid,
  agentId: z.string(),
});
export type Actor = z.infer<typeof Actor>;

/** A name that an agent gave to one tool call, which identifies a repeat within the minute. */
export const ClientTokenUse = z.strictObject({ tool: z.string(), token: Uuid });
export type ClientTokenUse = z.infer<typeof ClientTokenUse>;

/** One entry of the op-log, as stored. `hash` is the SHA-256 of the canonical JSON of all other fields. */
export const OpEnvelope = z.strictObject({
  id: Uuid,
  type: z.string(),
  version: z.int().min(1),
  workspace: Uuid,
  actor: Actor,
  at: z.string(),
  commandId: Uuid,
  /**
   * A keyed hash of the command's content, on its first op. It distinguishes a repeat of a command from another command
   * with the same id. Absent in ops written before every command had one.
   */
  payloadHash: KeyedHash.optional(),
  /** On the first op of a command that carried a client token. */
  clientToken: ClientTokenUse.optional(),
  correlationId: z.string(),
  prevHash: z.string(),
  hash: z.string(),
  data: z.unknown(),
});
export type OpEnvelope = z.infer<typeof OpEnvelope>;

/** The predecessor hash of a workspace's first op. */
export const GENESIS_HASH = '0'.repeat(64);

/** A request over NATS: a command or a query of one principal. */
export const Request = z.strictObject({
  id: Uuid,
  correlationId: z.string().max(128),
  principal: Principal,
  /** Read-your-writes: the answer must include this position, or report `stale`. */
  atLeast: z.int().min(0).optional(),
  data: z.unknown(),
});
export type Request = Wire<typeof Request>;

export interface WireError {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export type Reply<T> = { readonly ok: T } | { readonly error: WireError };
