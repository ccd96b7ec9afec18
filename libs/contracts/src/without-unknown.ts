import { z } from 'zod';
import { droppingUnknown } from './tolerant.js';

/** Returns the value itself if nothing was removed. */
type Prune = (value: unknown) => unknown;

/** The parts of a schema's definition that hold further schemas. */
interface Parts {
  readonly catchall?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
}

const asIs: Prune = (value) => value;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `pruneOf` is undefined for a field to remove. */
const prunedObject =
  (pruneOf: (name: string) => Prune | undefined): Prune =>
  (value) => {
    if (!isRecord(value)) return value;
    let pruned: Record<string, unknown> | undefined;
    for (const [name, inner] of Object.entries(value)) {
      const prune = pruneOf(name);
      const left = prune?.(inner);
      if (prune && left === inner) continue;
      pruned ??= { ...value };
      if (prune) pruned[name] = left;
      else delete pruned[name];
    }
    return pruned ?? value;
  };

const prunedList =
  (prune: Prune): Prune =>
  (value) => {
    if (!Array.isArray(value)) return value;
    const list = value as readonly unknown[];
    const left = list.map(prune);
    return left.some((inner, i) => inner !== list[i]) ? left : list;
  };

const prunedUnion = (options: readonly z.ZodType[]): Prune => {
  const choices = options.map((option) => [droppingUnknown(option), pruneFor(option)] as const);
  return (value) => choices.find(([schema]) => schema.safeParse(value).success)?.[1](value) ?? value;
};

const newPrune = (schema: z.ZodType): Prune => {
  const { catchall, options, innerType, element, valueType } = schema.def as Parts;
  if (schema instanceof z.ZodObject) {
    const isOpen = catchall !== undefined && !(catchall instanceof z.ZodNever);
    const fields = new Map(
      Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => [name, pruneFor(field)]),
    );
    return prunedObject((name) => fields.get(name) ?? (isOpen ? asIs : undefined));
  }
  if (options) return prunedUnion(options);
  if (element) return prunedList(pruneFor(element));
  if (valueType) return prunedObject(() => pruneFor(valueType));
  return innerType ? pruneFor(innerType) : asIs;
};

const known = new WeakMap<z.ZodType, Prune>();

const pruneFor = (schema: z.ZodType): Prune => {
  const found = known.get(schema) ?? newPrune(schema);
  known.set(schema, found);
  return found;
};

/**
 * An answer of a service without the fields that only a newer version knows, so that they do not reach a client, whose
 * published schema excludes them. Checks nothing else: answers are not parsed, because Cairn's own services build them.
 */
export const withoutUnknown = <T>(schema: z.ZodType<T>, answer: T): T => pruneFor(schema)(answer) as T;
