/**
 * The constraints on each field in the published schemas (`tools/list`, the OpenAPI document), and test values derived
 * from them: at the bounds, just beyond them, and of another type. No field is listed by name here, so a new field is
 * tested as soon as it is published.
 */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
}

/**
 * `json`: values have types. `text`: a query or a form, where everything is text. `call`: the arguments of a tool,
 * where values have types and may also be sent as text.
 */
export type Place = 'json' | 'text' | 'call';

export interface Field {
  /** The path as an error reports it, such as `source.name` or `tags[0]`. */
  readonly path: string;
  readonly keys: readonly (string | number)[];
  readonly schema: Schema;
  readonly isNullable: boolean;
}

export type Args = Readonly<Record<string, unknown>>;

export interface Bad {
  readonly value: unknown;
  /** The limit that the error must name; absent if there is none. */
  readonly limit?: unknown;
}

const ID = '00000000-0000-7000-8000-000000000000';
/** The maximum length of a time. */
const TIME = '2999-01-31T12:00:00.123456789+00:00';
/** A character that takes two UTF-16 units: bounds count characters. */
const ASTRAL = '😀';
/**
 * Longer texts of astral characters do not fit a JSON body of 1 MiB, so text of one byte per character is sent instead.
 */
const ASTRAL_CHARS_MAX = 200_000;
/** As long as the container allows: a body of 1 MiB, a URL or a form field of 16 KiB. */
const FAR_TOO_LONG: Readonly<Record<Place, number>> = { json: 900_000, call: 900_000, text: 10_000 };

const nonNull = ({ anyOf, ...own }: Schema): { readonly schema: Schema; readonly isNullable: boolean } => {
  if (!anyOf) return { schema: own, isNullable: false };
  const [first, ...more] = anyOf.filter(({ type }) => type !== 'null');
  if (!first || more.length > 0) throw new Error(`a schema that is not understood here: ${JSON.stringify(anyOf)}`);
  return { schema: { ...own, ...first }, isNullable: true };
};

const fieldAt = (keys: Field['keys'], given: Schema): Field[] => {
  const { schema, isNullable } = nonNull(given);
  const path = keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  const inner = Object.entries(schema.properties ?? {}).flatMap(([key, part]) => fieldAt([...keys, key], part));
  const entry = schema.items ? fieldAt([...keys, 0], schema.items) : [];
  return [{ path: path.slice(1), keys, schema, isNullable }, ...inner, ...entry];
};

/** Every field of an object, with its nested fields and entries. */
export const fieldsOf = ({ properties = {} }: Schema): Field[] =>
  Object.entries(properties).flatMap(([key, schema]) => fieldAt([key], schema));

/** Text without any constraint. */
export const isFree = ({ type, enum: values, format, pattern }: Schema): boolean =>
  type === 'string' && values === undefined && format === undefined && pattern === undefined;

/** Whether the schema bounds every value. */
export const isBounded = ({ type, maxLength, enum: values, format, minimum, maximum, maxItems }: Schema): boolean => {
  if (type === 'string')
    return maxLength !== undefined || values !== undefined || format === 'uuid' || format === 'binary';
  if (type === 'integer' || type === 'number') return minimum !== undefined && maximum !== undefined;
  if (type === 'array') return maxItems !== undefined;
  return type === 'boolean' || type === 'object';
};

const text = (chars: number, isAscii: boolean): string =>
  (isAscii || chars > ASTRAL_CHARS_MAX ? 'x' : ASTRAL).repeat(chars);

const goodTexts = ({ enum: values, format, pattern, minLength = 0, maxLength = 0 }: Schema): unknown[] => {
  if (values) return [...values];
  if (format === 'uuid') return [ID];
  if (format === 'date-time') return [TIME];
  return [text(minLength, true), text(maxLength, pattern !== undefined)];
};

/** One value that the schema accepts. */
const sample = (schema: Schema): unknown => {
  const { type, required = [], properties = {} } = schema;
  if (type === 'object') return Object.fromEntries(required.map((key) => [key, sample(properties[key]!)]));
  if (type === 'array') return [];
  return goodValues(schema)[0];
};

const goodValues = (schema: Schema): unknown[] => {
  const { type, minimum, maximum, minItems = 0, maxItems = 0, items } = schema;
  if (type === 'string') return goodTexts(schema);
  if (type === 'boolean') return [true, false];
  if (type === 'array') return [minItems, maxItems].map((length) => Array(length).fill(sample(items!)));
  if (type === 'object') return [sample(schema)];
  return [minimum, maximum];
};

/** The bounds themselves, and every value of a closed list. */
export const accepted = ({ schema, isNullable }: Field): unknown[] => [
  ...goodValues(schema),
  ...(isNullable ? [null] : []),
];

/** The ways to send a value: in a tool call also as JSON text, unless it is a text itself or null. */
export const formsOf = (value: unknown, place: Place): unknown[] =>
  place === 'call' && value !== null && typeof value !== 'string' ? [value, JSON.stringify(value)] : [value];

const badTexts = ({ enum: values, format, pattern, minLength = 0, maxLength }: Schema, place: Place): Bad[] => {
  if (values) return [{ value: 'nonsense', limit: values }, { value: '' }, { value: String(values[0]).toUpperCase() }];
  if (format === 'uuid') return ['', 'x', ID.slice(1), `${ID}0`, `{${ID}}`, ID.replaceAll('-', '')].map(asBad);
  const tooShort = minLength > 0 ? [{ value: text(minLength - 1, true), limit: minLength }] : [];
  if (format === 'date-time') {
    const tooLong = TIME.replace('+', '0+');
    const others = ['', 'tomorrow', '2027-02-30T00:00:00Z', '2027-01-01', '0000-01-01T00:00:00Z', ...OUTSIDE];
    return [{ value: tooLong, limit: maxLength }, ...others.map(asBad)];
  }
  const isAscii = pattern !== undefined;
  const tooLong = [text(maxLength! + 1, isAscii), 'x'.repeat(FAR_TOO_LONG[place])];
  const ofOtherCharacters = isAscii ? ['a b', 'ä', ASTRAL].map(asBad) : [];
  return [...tooShort, ...tooLong.map((value) => ({ value, limit: maxLength })), ...ofOtherCharacters];
};

const asBad = (value: unknown): Bad => ({ value });
/** In UTC, these fall into the years 0 and 10000. */
const OUTSIDE = ['0001-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59'];

const badNumbers = ({ type, minimum, maximum }: Schema): Bad[] => [
  { value: minimum! - 1, limit: minimum },
  { value: maximum! + 1, limit: maximum },
  { value: 1e20, limit: maximum },
  ...(type === 'integer' ? [{ value: minimum! + 0.5 }] : []),
];

const outOfBounds = (schema: Schema, place: Place): Bad[] => {
  const { type, minItems = 0, maxItems, items } = schema;
  if (type === 'string') return badTexts(schema, place);
  if (type === 'integer' || type === 'number') return badNumbers(schema);
  if (type !== 'array') return [];
  const tooFew = minItems > 0 ? [{ value: [], limit: minItems }] : [];
  return [...tooFew, { value: Array(maxItems! + 1).fill(sample(items!)), limit: maxItems }];
};

const VALUES: Readonly<Record<string, unknown>> = {
  null: null,
  number: 42,
  boolean: true,
  array: [['x']],
  object: { a: 1 },
  string: 'x',
};

/** Text that cannot be parsed as the right type. */
const TEXT_VALUES: Readonly<Record<string, readonly string[]>> = {
  integer: ['', 'x', '1.5', '1e1', 'null', '0x1', ' 1'],
  number: ['', 'x', '1e1', 'null', '0x1', ' 1', '.5'],
  boolean: ['', 'yes', '1', 'null', 'TRUE', '[true]'],
  object: ['', '42', 'null', 'true', '"x"', '[]', '{'],
  array: ['[1]', '[null]', '[["a"]]', '[{}]', '[true]'],
  string: [],
};

const ofOtherType = ({ schema: { type = '' }, isNullable }: Field, place: Place): Bad[] => {
  if (place === 'text') return TEXT_VALUES[type]!.map(asBad);
  const own = type === 'integer' ? 'number' : type;
  const values = Object.entries(VALUES)
    .filter(([name]) => name !== own && !(isNullable && name === 'null'))
    .map(([, value]) => ({ value }));
  return place === 'call' ? [...values, ...TEXT_VALUES[type]!.map(asBad)] : values;
};

/** One value beyond each bound, and one of each other type. */
export const refused = (field: Field, place: Place): Bad[] => [
  ...outOfBounds(field.schema, place),
  ...ofOtherType(field, place),
];

/** For a list of objects, an entry with the value at its place; for any other list, the value itself. */
const entryWith = (list: unknown, keys: Field['keys'], value: unknown, given: Schema): unknown => {
  if (keys.length === 0) return value;
  const { schema } = nonNull(given);
  const [first] = (list as readonly Args[] | undefined) ?? [];
  return putAt({ ...(sample(schema) as Args), ...first }, keys, value, schema);
};

/** The arguments with one value at its place, and the other required fields of the same object beside it. */
export const putAt = (args: Args, [key, ...rest]: Field['keys'], value: unknown, schema: Schema): Args => {
  if (key === undefined) throw new Error('a field has a name');
  if (rest.length === 0) return { ...args, [key]: value };
  const { schema: inner } = nonNull(schema.properties![key]!);
  if (inner.type === 'array') return { ...args, [key]: [entryWith(args[key], rest.slice(1), value, inner.items!)] };
  const beside = { ...(sample(inner) as Args), ...(args[key] as Args | undefined) };
  return { ...args, [key]: putAt(beside, rest, value, inner) };
};
