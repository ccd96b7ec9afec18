import { z } from 'zod';
import type { Noun } from './subjects.js';

/** Ciphertext, base64: nonce, AES-256-GCM output, tag. What it holds is said by its field. */
export const Sealed = z.base64();
/** A keyed hash, hex: it dies with the key it was made with. */
export const KeyedHash = z.string().regex(/^[0-9a-f]{64}$/);

export interface EventDefinition<T extends string, S extends z.ZodType> {
  readonly type: T;
  readonly version: number;
  readonly noun: Noun;
  readonly schema: S;
  /** The word the specs use for it, shown by the op-log API. */
  readonly kind: string;
}

export const defineEvent = <T extends string, S extends z.ZodType>(
  type: T,
  version: number,
  kind: string,
  schema: S,
): EventDefinition<T, S> => ({ type, version, kind, noun: type.split('.')[0] as Noun, schema });
