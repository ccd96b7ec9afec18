import { EntitySchema, type ColumnType, type EntitySchemaColumnOptions, type EntitySchemaOptions } from 'typeorm';
import type { Table, TableRow } from './table.js';

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const columnOf = (name: string, sql: string): EntitySchemaColumnOptions => {
  const type = sql.split(' ')[0]!;
  return {
    name,
    type: type.replace('[]', '') as ColumnType,
    array: type.endsWith('[]'),
    primary: sql.includes('primary key'),
    nullable: !/not null|primary key/.test(sql),
  };
};

/** A table as TypeORM reads it, for listings. Flat, without relations. The table needs a primary key of one column. */
export const entityOf = <T extends Table>(schema: string, name: string, { columns }: T): EntitySchema<TableRow<T>> => {
  const options = Object.entries(columns).map(([column, sql]) => [camelCase(column), columnOf(column, sql)]);
  return new EntitySchema<TableRow<T>>({
    name,
    schema,
    columns: Object.fromEntries(options) as EntitySchemaOptions<TableRow<T>>['columns'],
  });
};
