import { echoed, fail } from '@cairn/contracts';
import { z } from 'zod';

type Values = Record<string, unknown>;

/** What the schema wants as a number or a boolean comes as text; other text stays and is refused by the schema. */
const valueOf = (text: string, type: unknown): unknown => {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};

const propertiesBySchema = new WeakMap<z.ZodObject, Readonly<Record<string, { readonly type?: unknown }>>>();

/** What the published schema says about each field. */
export const propertiesOf = (schema: z.ZodObject) => {
  const known = propertiesBySchema.get(schema);
  if (known) return known;
  const properties = (z.toJSONSchema(schema, { io: 'input' }).properties ?? {}) as Record<string, { type?: unknown }>;
  propertiesBySchema.set(schema, properties);
  return properties;
};

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** Where a byte is no UTF-8, `URLSearchParams` would put another character without a word. */
const checkEncoding = (search: string): void => {
  for (const pair of search.split('&')) {
    if (decoded(pair) !== undefined) continue;
    const field = echoed(decoded(pair.split('=')[0] ?? '') ?? 'query');
    throw fail('input.invalid', `${field} must be percent-encoded UTF-8`, { field });
  }
};

/** The parameters of a URL, each given once, with the types that their schema names. */
export const readQuery = (schema: z.ZodObject, search: string): Values => {
  checkEncoding(search);
  const properties = propertiesOf(schema);
  const values: Values = Object.create(null) as Values;
  for (const [name, text] of new URLSearchParams(search)) {
    if (name in values) {
      const field = echoed(name);
      throw fail('input.invalid', `${field} must be given once`, { field });
    }
    values[name] = valueOf(text, Object.hasOwn(properties, name) ? properties[name]?.type : undefined);
  }
  return values;
};
