import type { Wire } from '@cairn/contracts';
import type { z } from 'zod';

const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A select list whose columns have the names of the fields they become, such as `i.created_at as "createdAt"`. */
export const columnsOf = (alias: string, fields: readonly string[]): string =>
  fields.map((field) => `${alias}.${columnOf(field)} as "${field}"`).join(', ');

export const fieldNames = (schema: z.ZodObject): readonly string[] => Object.keys(schema.shape);

/** A field as its column returns it: a time is a Date, and the type of a text column does not say which texts it holds. */
type Stored<T> = T extends string ? string | Date : T extends readonly (infer U)[] ? readonly Stored<U>[] : T;

export type RowOf<S extends z.ZodObject> = { readonly [K in keyof z.output<S>]: Stored<z.output<S>[K]> };

/**
 * The fields of a row that the schema names, and no others; times become ISO text. The values are not parsed again:
 * everything in the tables was checked against the contracts when it was written.
 */
export const viewOf = <S extends z.ZodObject>(schema: S, row: RowOf<S>): Wire<S> => {
  const columns: Readonly<Record<string, unknown>> = row;
  const fields = Object.keys(schema.shape).map((name) => {
    const value = columns[name];
    return [name, value instanceof Date ? value.toISOString() : value];
  });
  return Object.fromEntries(fields) as Wire<S>;
};
