import { EXTERNAL_SCHEMA_BYTES_MAX, EXTERNAL_SCHEMA_DEPTH_MAX } from '@cairn/contracts';
import { neutralise } from '@cairn/mcp-tools';

export type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text for a reader, which may be changed. All other text has a meaning for the call. */
const PROSE = new Set(['description', 'title', '$comment', 'examples', 'default', 'markdownDescription']);
/** Nothing is ever fetched, so these would only mislead a client that fetches. */
const DROPPED = new Set(['$schema', '$id', '$anchor', '$dynamicAnchor', '$vocabulary', 'id', 'icons', '_meta']);
const REFERENCES = new Set(['$ref', '$dynamicRef', '$recursiveRef']);
/** Keywords that hold subschemas by name: their keys are names and not keywords of JSON Schema. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

class Unusable extends Error {}

const isPlain = (text: string): boolean => neutralise(text) === text;

const cleanProse = (value: unknown): unknown => {
  if (typeof value === 'string') return neutralise(value);
  if (Array.isArray(value)) return value.map(cleanProse);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [neutralise(key), cleanProse(inner)]));
};

const checkPlain = (value: unknown): void => {
  if (typeof value === 'string' && !isPlain(value)) throw new Unusable();
  if (typeof value === 'object' && value !== null) for (const inner of Object.entries(value)) inner.forEach(checkPlain);
};

const cleanNamed = (named: unknown, depth: number): unknown => {
  if (!isObject(named)) throw new Unusable();
  return Object.fromEntries(
    Object.entries(named).map(([name, schema]) => {
      if (!isPlain(name) || name === '__proto__') throw new Unusable();
      return [name, cleanSchema(schema, depth)];
    }),
  );
};

const cleanKeyword = (key: string, value: unknown, depth: number): unknown => {
  if (PROSE.has(key)) return cleanProse(value);
  if (REFERENCES.has(key) && !(typeof value === 'string' && value.startsWith('#'))) throw new Unusable();
  if (NAMED.has(key)) return cleanNamed(value, depth + 1);
  if (key === 'enum' || key === 'const') {
    checkPlain(value);
    return value;
  }
  if (Array.isArray(value) && value.some(isObject)) return value.map((inner) => cleanSchema(inner, depth + 1));
  if (isObject(value)) return cleanSchema(value, depth + 1);
  checkPlain(value);
  return value;
};

const cleanSchema = (schema: unknown, depth: number): unknown => {
  if (!isObject(schema)) return schema;
  if (depth > EXTERNAL_SCHEMA_DEPTH_MAX) throw new Unusable();
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !DROPPED.has(key) && isPlain(key))
      .map(([key, value]) => [key, cleanKeyword(key, value, depth)]),
  );
};

/** The schema of a tool's arguments in a form that may be shown; undefined if that would change its meaning. */
export const shownSchema = (given: unknown): JsonObject | undefined => {
  if (!isObject(given) || given['type'] !== 'object') return undefined;
  if (Buffer.byteLength(JSON.stringify(given)) > EXTERNAL_SCHEMA_BYTES_MAX) return undefined;
  try {
    return cleanSchema(given, 1) as JsonObject;
  } catch (thrown) {
    if (thrown instanceof Unusable || thrown instanceof RangeError) return undefined;
    throw thrown;
  }
};
