import { fail } from '@cairn/contracts';
import { z } from 'zod';

type Values = Record<string, unknown>;

/** What the schema wants as a number or a boolean comes as text; other text stays and is refused by the schema. */
const valueOf = (text: string, type: unknown): unknown => {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
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

/** The parameters of a URL, each given once, with the types that their schema names. */
export const readQuery = (schema: z.ZodObject, search: string): Values => {
  const properties = propertiesOf(schema);
  const values: Values = Object.create(null) as Values;
  for (const [name, text] of new URLSearchParams(search)) {
    if (name in values) throw fail('input.invalid', `${name} must be given once`, { field: name });
    values[name] = valueOf(text, Object.hasOwn(properties, name) ? properties[name]?.type : undefined);
  }
  return values;
};
