import { z } from 'zod';

interface Parts {
  readonly catchall?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly options?: readonly z.ZodType[];
}

const ADDED = { addedLater: { in: 'a newer version' } };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapped = (value: object, change: (inner: unknown, name: string) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner, name)]));

/**
 * The message as a newer version would write it: a field that the schema does not know, in every object that it
 * describes. Objects with keys of callers' own stay as they are, since a new key there is content.
 */
export const withUnknown = (schema: z.ZodType, value: unknown): unknown => {
  const { catchall, innerType, element, valueType, in: input, options } = schema.def as Parts;
  if (schema instanceof z.ZodObject && isRecord(value)) {
    const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
    const isOpen = catchall !== undefined && !(catchall instanceof z.ZodNever);
    const fields = mapped(value, (inner, name) => (shape[name] ? withUnknown(shape[name], inner) : inner));
    return isOpen ? fields : { ...fields, ...ADDED };
  }
  if (valueType && isRecord(value)) return mapped(value, (inner) => withUnknown(valueType, inner));
  if (element && Array.isArray(value)) return value.map((inner) => withUnknown(element, inner));
  const chosen = innerType ?? input ?? options?.find((option) => option.safeParse(value).success);
  return chosen && value !== null && value !== undefined ? withUnknown(chosen, value) : value;
};
