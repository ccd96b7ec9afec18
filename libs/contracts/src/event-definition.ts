import { z } from 'zod';
import type { OpEnvelope } from './envelope.js';
import { fail } from './errors.js';
import type { Noun } from './subjects.js';

/** Ciphertext, base64: nonce, AES-256-GCM output, tag. The field's name states what it holds. */
export const Sealed = z.base64();
/** A keyed hash, hex: without its key it cannot confirm a guess. */
export const KeyedHash = z.string().regex(/^[0-9a-f]{64}$/);

/** Turns the data of one version into that of the next. Pure: an op is upcast on every read. */
export type Upcaster = (stored: unknown) => unknown;

/**
 * The upcaster of an earlier version. `schema` describes the data of that version; data that does not fit is refused.
 */
export const older =
  <S extends z.ZodType>(schema: S, upcast: (old: z.infer<S>) => unknown): Upcaster =>
  (stored) =>
    upcast(schema.parse(stored));

/** 1 | … | V - 1. */
type OlderThan<V extends number, Counted extends readonly unknown[] = [unknown]> = Counted['length'] extends V
  ? never
  : Counted['length'] | OlderThan<V, [...Counted, unknown]>;

/** One entry for every earlier version, so that an event without its upcaster does not compile. */
type Upcasters<V extends number> = Readonly<Record<OlderThan<V>, Upcaster>>;

export interface EventDefinition<T extends string, S extends z.ZodType> {
  readonly type: T;
  readonly version: number;
  readonly noun: Noun;
  readonly schema: S;
  /** The tools' name for the event, shown by the op-log API. */
  readonly kind: string;
  /** Keyed by the version that each one reads. */
  readonly upcasters: Readonly<Record<number, Upcaster>>;
}

/** From version 2 on, the last argument has an upcaster for each earlier version: `{ 1: older(schema, upcast) }`. */
export const defineEvent = <T extends string, V extends number, S extends z.ZodType>(
  type: T,
  version: V,
  kind: string,
  schema: S,
  ...[upcasters]: V extends 1 ? [] : [upcasters: Upcasters<V>]
): EventDefinition<T, S> => ({
  type,
  version,
  kind,
  noun: type.split('.')[0] as Noun,
  schema,
  upcasters: upcasters ?? {},
});

/** The data of a stored op in the newest version. Data of the newest version is returned unchanged. */
export const upcastData = (
  definition: EventDefinition<string, z.ZodType>,
  { version, data: stored }: Pick<OpEnvelope, 'version' | 'data'>,
): unknown => {
  let data = stored;
  for (let step = version; step < definition.version; step++) data = definition.upcasters[step]!(data);
  return data;
};

/**
 * The data of a stored op, checked and in the newest shape of its event; the op keeps its bytes, version and hash. An
 * unknown version, or data that does not fit its version, stops the reader: skipping it would silently lose a fact.
 */
export const newestData = (
  definition: EventDefinition<string, z.ZodType>,
  envelope: Pick<OpEnvelope, 'type' | 'version' | 'data'>,
  position: number,
): unknown => {
  const { type, version } = envelope;
  if (version > definition.version)
    throw fail('contract.unknown_event', `${type} v${version} is newer than this build`, { position });
  try {
    return definition.schema.parse(upcastData(definition, envelope));
  } catch (thrown) {
    const message = `${type} at position ${position} does not fit its schema`;
    throw fail('contract.unknown_event', message, { position }, thrown);
  }
};
