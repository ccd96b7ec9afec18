import { asAppError, fail } from '@cairn/contracts';
import type { z } from 'zod';
import { parseStrictJson } from '../http/strict-json.js';
import { textValue, typeOfField } from './text-values.js';

const json = (name: string, text: string): unknown => {
  try {
    return parseStrictJson(Buffer.from(text), { root: name });
  } catch (thrown) {
    const error = asAppError(thrown);
    if (error.code !== 'input.malformed') throw error;
    throw fail('input.invalid', `${name} must be valid JSON`, { field: name }, error);
  }
};

/** A list is given by repeated fields, or once as a JSON array. */
const listOf = (name: string, texts: readonly string[]): unknown => {
  const [first = ''] = texts;
  return texts.length === 1 && first.trimStart().startsWith('[') ? json(name, first) : texts;
};

const valueOf = (name: string, texts: readonly string[], type: unknown): unknown => {
  if (type === 'array') return listOf(name, texts);
  const [text = ''] = texts;
  if (texts.length > 1) throw fail('input.invalid', `${name} must be given once`, { field: name });
  return type === 'object' ? json(name, text) : textValue(text, type);
};

/**
 * A form contains text only; each field is converted to the type in its schema, and the schema rejects what does not
 * fit.
 */
export const formValues = (
  schema: z.ZodObject,
  fields: ReadonlyMap<string, readonly string[]>,
): Record<string, unknown> =>
  Object.fromEntries([...fields].map(([name, texts]) => [name, valueOf(name, texts, typeOfField(schema, name))]));
