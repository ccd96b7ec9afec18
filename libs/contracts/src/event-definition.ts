import { AppError } from '@cairn/kernel';
import { z } from 'zod';
import type { OpEnvelope } from './envelope.js';
import { fail } from './errors.js';
import type { Noun } from './subjects.js';
import { keepingUnknown } from './tolerant.js';

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
    upcast(keepingUnknown(schema).parse(stored));

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

/** The noun of an event, also of one that this version does not know: it is the first part of the type. */
export const nounOf = (type: string): Noun => type.split('.')[0] as Noun;

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
  noun: nounOf(type),
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

/** The reader stops here: skipping the op would silently lose a fact. A process of the newer version continues. */
export const newerEvent = ({ type, version }: Pick<OpEnvelope, 'type' | 'version'>, position: number): AppError =>
  fail(
    'contract.unknown_event',
    `the op at position ${position}, ${type} v${version}, was written by a newer version of Cairn; upgrade this one`,
    { position, type, version },
  );

/** True for an op that only a newer version understands. Such an op waits for it; it is not broken. */
export const isNewerEvent = (thrown: unknown): boolean =>
  thrown instanceof AppError && thrown.code === 'contract.unknown_event';

/**
 * The data of a stored op of a known version, checked and in the newest shape of its event; the op keeps its bytes, version and hash. Fields
 * that this version does not know stay in the data. Data that does not fit its version stops the reader.
 */
export const newestData = (
  definition: EventDefinition<string, z.ZodType>,
  envelope: Pick<OpEnvelope, 'type' | 'version' | 'data'>,
  position: number,
): unknown => {
  try {
    return keepingUnknown(definition.schema).parse(upcastData(definition, envelope));
  } catch (thrown) {
    const message = `${envelope.type} at position ${position} does not fit its schema`;
    throw fail('contract.unreadable', message, { position }, thrown);
  }
};
