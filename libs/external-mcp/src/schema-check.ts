import { echoed, fail } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import type { JsonObject } from './schema-hygiene.js';

/**
 * Checks arguments against the schema of a tool. It is a separate interpreter, because the schema comes from a third
 * party: it generates no code, runs no pattern, resolves references inside the schema only and stops after a number of
 * steps. Unknown keywords are left to the server, which checks its own arguments too.
 */
const STEPS_MAX = 20_000;
const REFERENCES_MAX = 8;

interface Fault {
  readonly field: string;
  readonly message: string;
}

class TooManySteps extends Error {}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const bound = (schema: JsonObject, key: string): number | undefined => {
  const value = schema[key];
  return typeof value === 'number' ? value : undefined;
};

class Checker {
  private steps = 0;

  constructor(private readonly root: JsonObject) {}

  check(given: unknown, value: unknown, field: string): Fault | undefined {
    if (++this.steps > STEPS_MAX) throw new TooManySteps();
    if (given === false) return { field, message: 'is not allowed' };
    const schema = this.resolved(given);
    if (!schema) return undefined;
    return (
      this.checkType(schema, value, field) ??
      this.checkValue(schema, value, field) ??
      this.checkSize(schema, value, field) ??
      this.checkObject(schema, value, field) ??
      this.checkArray(schema, value, field) ??
      this.checkCombined(schema, value, field)
    );
  }

  /**
   * The schema behind local references; undefined for a schema without constraints, or a reference without a target.
   */
  private resolved(given: unknown): JsonObject | undefined {
    let schema = given;
    for (let i = 0; i < REFERENCES_MAX && isObject(schema) && typeof schema['$ref'] === 'string'; i++)
      schema = this.pointed(schema['$ref']);
    return isObject(schema) && schema['$ref'] === undefined ? schema : undefined;
  }

  private pointed(reference: string): unknown {
    const steps = reference.replace(/^#\/?/, '').split('/').filter(Boolean);
    const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    return names.reduce<unknown>(
      (node, name) => (isObject(node) && Object.hasOwn(node, name) ? node[name] : undefined),
      this.root,
    );
  }

  private checkType({ type }: JsonObject, value: unknown, field: string): Fault | undefined {
    const types = (Array.isArray(type) ? type : [type]).filter((name): name is string => typeof name === 'string');
    const known = types.filter((name) => Object.hasOwn(TYPES, name));
    if (known.length === 0 || known.length < types.length || known.some((name) => TYPES[name]!(value)))
      return undefined;
    return { field, message: `must be of the type ${known.join(' or ')}` };
  }

  private checkValue(schema: JsonObject, value: unknown, field: string): Fault | undefined {
    const { enum: values } = schema;
    if (Array.isArray(values) && !values.some((one) => same(one, value)))
      return { field, message: 'must be one of the values that the tool names' };
    if ('const' in schema && !same(schema['const'], value))
      return { field, message: 'must be the value that the tool names' };
    return undefined;
  }

  private checkSize(schema: JsonObject, value: unknown, field: string): Fault | undefined {
    const atLeast = (key: string, size: number, unit: string) =>
      size < (bound(schema, key) ?? -Infinity)
        ? { field, message: `must be at least ${bound(schema, key)}${unit}` }
        : undefined;
    const atMost = (key: string, size: number, unit: string) =>
      size > (bound(schema, key) ?? Infinity)
        ? { field, message: `must be at most ${bound(schema, key)}${unit}` }
        : undefined;
    if (typeof value === 'number') return atLeast('minimum', value, '') ?? atMost('maximum', value, '');
    if (typeof value === 'string') {
      const { length } = [...value];
      return atLeast('minLength', length, ' characters long') ?? atMost('maxLength', length, ' characters long');
    }
    if (!Array.isArray(value)) return undefined;
    return atLeast('minItems', value.length, ' items long') ?? atMost('maxItems', value.length, ' items long');
  }

  private checkObject(schema: JsonObject, value: unknown, field: string): Fault | undefined {
    if (!isObject(value)) return undefined;
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const given = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
    const required = given.filter((name): name is string => typeof name === 'string');
    const at = (name: string): string => (field === '' ? name : `${field}.${name}`);
    const missing = required.find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined) return { field: at(missing), message: 'is required' };
    // A pattern may allow names that are not listed: the server decides that.
    const others = 'patternProperties' in schema ? undefined : schema['additionalProperties'];
    for (const [name, inner] of Object.entries(value)) {
      const own = Object.hasOwn(properties, name);
      if (!own && others === false) return { field: at(name), message: 'is not an argument of this tool' };
      const fault = this.check(own ? properties[name] : others, inner, at(name));
      if (fault) return fault;
    }
    return undefined;
  }

  private checkArray(schema: JsonObject, value: unknown, field: string): Fault | undefined {
    if (!Array.isArray(value)) return undefined;
    const first = Array.isArray(schema['prefixItems']) ? (schema['prefixItems'] as unknown[]) : [];
    for (const [i, inner] of value.entries()) {
      const fault = this.check(i < first.length ? first[i] : schema['items'], inner, `${field}[${i}]`);
      if (fault) return fault;
    }
    return undefined;
  }

  private checkCombined(schema: JsonObject, value: unknown, field: string): Fault | undefined {
    for (const one of Array.isArray(schema['allOf']) ? (schema['allOf'] as unknown[]) : []) {
      const fault = this.check(one, value, field);
      if (fault) return fault;
    }
    for (const key of ['anyOf', 'oneOf']) {
      const choices = schema[key];
      if (!Array.isArray(choices) || choices.length === 0) continue;
      if (choices.every((one) => this.check(one, value, field) !== undefined))
        return { field, message: 'fits none of the forms that the tool names' };
    }
    return undefined;
  }
}

const invalid = ({ field, message }: Fault): AppError => {
  const named = echoed(field === '' ? 'arguments' : field);
  return fail('input.invalid', `${named} ${message}`, { field: named });
};

/** Throws `input.invalid`, which names the argument, for arguments that do not fit. */
export const checkArguments = (schema: JsonObject, given: unknown): JsonObject => {
  const value = given ?? {};
  if (!isObject(value)) throw invalid({ field: '', message: 'must be an object' });
  try {
    const fault = new Checker(schema).check(schema, value, '');
    if (fault) throw invalid(fault);
    return value;
  } catch (thrown) {
    if (!(thrown instanceof TooManySteps) && !(thrown instanceof RangeError)) throw thrown;
    throw invalid({ field: '', message: 'are too complex for the schema of this tool' });
  }
};
