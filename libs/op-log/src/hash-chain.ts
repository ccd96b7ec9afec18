import { createHash } from 'node:crypto';
import { eventDefinition, keepingUnknown, OpEnvelope, parseOp, type OpEnvelope as Envelope } from '@cairn/contracts';
import { fail } from '@cairn/kernel';
import canonicalize from 'canonicalize';
import type { NewOp, StoredOp } from './op-log.port.js';

// The package ships CommonJS types only; under NodeNext its default export is not seen as callable.
export const canonicalJson = canonicalize as unknown as (value: unknown) => string;

const hashOf = (envelope: Omit<Envelope, 'hash'>): string =>
  createHash('sha256').update(canonicalJson(envelope)).digest('hex');

/** Each op of a workspace carries the hash of the one before, so tampering and gaps can be detected. */
export const chainOps = (workspaceId: string, prevHash: string, ops: readonly NewOp[]): Envelope[] => {
  let previous = prevHash;
  return ops.map(({ id, event, actor, at, commandId, payloadHash, clientToken, correlationId }) => {
    const { version } = eventDefinition(event.type);
    const unhashed = {
      id,
      type: event.type,
      version,
      workspace: workspaceId,
      actor,
      at,
      commandId,
      ...(payloadHash !== undefined && { payloadHash }),
      ...(clientToken !== undefined && { clientToken }),
      correlationId,
      prevHash: previous,
      data: event.data,
    };
    previous = hashOf(unhashed);
    return { ...unhashed, hash: previous };
  });
};

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export const encodeOp = (envelope: Envelope): Uint8Array => encoder.encode(JSON.stringify(envelope));

/** True when the op's own hash covers what is stored, including fields that this version does not know. */
export const isIntact = (body: Uint8Array): boolean => {
  const { hash, ...unhashed } = JSON.parse(decoder.decode(body)) as Envelope;
  return hashOf(unhashed) === hash;
};

export const decodeEnvelope = (body: Uint8Array, position: number): Envelope => {
  try {
    return keepingUnknown(OpEnvelope).parse(JSON.parse(decoder.decode(body)));
  } catch (thrown) {
    throw fail('contract.unreadable', `the op at position ${position} is not readable`, { position }, thrown);
  }
};

export const decodeOp = (position: number, subject: string, body: Uint8Array): StoredOp => ({
  position,
  subject,
  body,
  op: parseOp(decodeEnvelope(body, position), position),
});
