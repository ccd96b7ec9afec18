import { z } from 'zod';

interface Property {
  readonly type?: unknown;
}

const propertiesBySchema = new WeakMap<z.ZodObject, Readonly<Record<string, Property>>>();

const propertiesOf = (schema: z.ZodObject): Readonly<Record<string, Property>> => {
  const known = propertiesBySchema.get(schema);
  if (known) return known;
  const properties = (z.toJSONSchema(schema, { io: 'input' }).properties ?? {}) as Record<string, Property>;
  propertiesBySchema.set(schema, properties);
  return properties;
};

/** The type of a field in the published schema; undefined for an unknown field. */
export const typeOfField = (schema: z.ZodObject, name: string): unknown => {
  const properties = propertiesOf(schema);
  return Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
};

/**
 * Returns a number or a boolean if the field has that type and the text is one; other text is left for the schema to
 * reject.
 */
export const textValue = (text: string, type: unknown): unknown => {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};

/** Converts query parameters to the types of their fields. */
export const textValues = (schema: z.ZodObject, texts: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, textValue(text, typeOfField(schema, name))]));
