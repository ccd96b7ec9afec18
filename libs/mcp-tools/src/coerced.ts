import { JSON_ARGUMENT_CHARS_MAX } from '@cairn/contracts';

/** The part of a published JSON Schema that is read here. */
interface Schema {
  readonly type?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const JSON_INTEGER = /^-?(?:0|[1-9]\d*)$/;
const JSON_DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value, only if the text is JSON of the wanted kind. A text longer than any such argument is not parsed. */
const fromJson = (text: string, isWanted: (value: unknown) => boolean): unknown => {
  if (text.length > JSON_ARGUMENT_CHARS_MAX) return text;
  try {
    const value: unknown = JSON.parse(text);
    return isWanted(value) ? value : text;
  } catch {
    return text;
  }
};

const FROM_TEXT: Readonly<Record<string, (text: string) => unknown>> = {
  integer: (text) => (JSON_INTEGER.test(text) ? Number(text) : text),
  number: (text) => (JSON_DECIMAL.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' || text === 'false' ? text === 'true' : text),
  array: (text) => fromJson(text, Array.isArray),
  object: (text) => fromJson(text, isObject),
};

/** The only form that a value can have other than null; undefined if there are several, so that nothing is guessed. */
const onlyForm = ({ anyOf, ...own }: Schema): Schema | undefined => {
  if (!anyOf) return own;
  const [form, ...others] = anyOf.filter(({ type }) => type !== 'null');
  return others.length === 0 && form ? onlyForm(form) : undefined;
};

const insideOf = ({ properties = {}, items }: Schema, value: unknown): unknown => {
  if (Array.isArray(value)) return items ? value.map((entry) => coerced(items, entry)) : value;
  if (!isObject(value)) return value;
  const named = Object.entries(value).map(([name, inner]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, schema ? coerced(schema, inner) : inner];
  });
  return Object.fromEntries(named);
};

/**
 * The value that the caller meant: models often send numbers, booleans, arrays and objects as text. The text is parsed
 * only if the published schema allows nothing else and the text is exactly one such value in JSON. Everything else
 * stays unchanged, for the schema to refuse.
 */
export const coerced = (schema: Schema, value: unknown): unknown => {
  const form = onlyForm(schema);
  if (!form) return value;
  const read = typeof value === 'string' ? FROM_TEXT[String(form.type)] : undefined;
  return insideOf(form, read ? read(value as string) : value);
};
