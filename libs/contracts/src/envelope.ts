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

/** A name that an agent gave to one call of a tool, so that a repeat within the minute is known for one. */
export const ClientTokenUse = z.strictObject({ tool: z.string(), token: Uuid });
export type ClientTokenUse = z.infer<typeof ClientTokenUse>;

/** One entry of the op-log, as stored. `hash` covers everything else, canonical JSON, SHA-256. */
export const OpEnvelope = z.strictObject({
  id: Uuid,
  type: z.string(),
  version: z.int().min(1),
  workspace: Uuid,
  actor: Actor,
  at: z.string(),
  commandId: Uuid,
  /**
   * A keyed hash of what the command asks for, on its first op. It distinguishes a repeat of a command from
   * another command under its id. Absent in ops written before every command had one.
   */
  payloadHash: KeyedHash.optional(),
  /** On the first op of a command that came with one. */
  clientToken: ClientTokenUse.optional(),
  correlationId: z.string(),
  prevHash: z.string(),
  hash: z.string(),
  data: z.unknown(),
});
export type OpEnvelope = z.infer<typeof OpEnvelope>;

/** The first op of a workspace follows this. */
export const GENESIS_HASH = '0'.repeat(64);

/** What travels over NATS as a request: a command or a query of one principal. */
export const Request = z.strictObject({
  id: Uuid,
  correlationId: z.string().max(128),
  principal: Principal,
  /** Read-your-writes: the answer must have seen this position, or say `stale`. */
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
