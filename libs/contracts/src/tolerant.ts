import { z } from 'zod';

/**
 * How Cairn reads what Cairn has written (ADR 0127). During an upgrade or a rollback, the writer may be a newer version,
 * with optional fields that this one does not know. A message is not refused because of them. Input from outside stays
 * strict and is read with `parseInput`.
 */
type Relaxed = (schema: z.ZodType) => z.ZodType;

/** The parts of a schema's definition that hold further schemas. */
interface Parts {
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
}

const SINGLE_PARTS = ['innerType', 'element', 'valueType', 'in', 'out'] as const;

const relaxedParts = (
  def: Parts,
  relax: Relaxed,
  unknown: z.ZodType | undefined,
): Partial<Record<keyof Parts, unknown>> => {
  const parts: Partial<Record<keyof Parts, unknown>> = {};
  for (const name of SINGLE_PARTS) if (def[name]) parts[name] = relax(def[name]);
  if (def.options) parts.options = def.options.map(relax);
  if (!def.shape) return parts;
  parts.shape = Object.fromEntries(Object.entries(def.shape).map(([name, schema]) => [name, relax(schema)]));
  // An object that declares what its further fields hold keeps that.
  if (!def.catchall || def.catchall instanceof z.ZodNever) parts.catchall = unknown;
  return parts;
};

/** The same schema, except that every object in it takes fields that it does not know. */
const relaxing = (unknown: z.ZodType | undefined): (<S extends z.ZodType>(schema: S) => S) => {
  const known = new WeakMap<z.ZodType, z.ZodType>();
  const relax: Relaxed = (schema) => {
    const found = known.get(schema);
    if (found) return found;
    const parts = relaxedParts(schema.def as Parts, relax, unknown);
    // Keeps the getters of a definition: a default that is an array must be a new one for every value.
    const relaxed =
      Object.keys(parts).length === 0 ? schema : schema.clone(z.core.util.mergeDefs(schema.def, parts) as never);
    known.set(schema, relaxed);
    return relaxed;
  };
  return relax as <S extends z.ZodType>(schema: S) => S;
};

/** For stored data, such as ops, vectors and sealed values: unknown fields stay, so that a rewrite does not lose them. */
export const keepingUnknown = relaxing(z.unknown());

/**
 * For messages that are answered or followed: unknown fields are dropped. A service that does not know what a field holds
 * must not store it unsealed, or show it to a client.
 */
export const droppingUnknown = relaxing(undefined);

/** A message between services; undefined if it is not readable, such as a kind that only newer versions know. */
export const messageIn = <S extends z.ZodType>(schema: S, text: string): z.infer<S> | undefined => {
  try {
    return droppingUnknown(schema).safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};
