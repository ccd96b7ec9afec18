import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SeededLibrary } from '../seeded-library.harness.js';
import { LIBRARY_ENTITIES } from './library-entities.js';

let library: SeededLibrary;
beforeAll(async () => {
  library = await SeededLibrary.start();
}, 60_000);
afterAll(() => library.stop());

describe('an entity for listings', () => {
  it.each(LIBRARY_ENTITIES)('has the columns of its table as Postgres knows them: $options.name', async (entity) => {
    const { tableName, schema, columns } = library.database.orm.getMetadata(entity);
    const { rows } = await library.pool.query(
      `select attname as name, format_type(atttypid, null) as type, not attnotnull as nullable
       from pg_attribute where attrelid = $1::regclass and attnum > 0 order by attnum`,
      [`${schema}.${tableName}`],
    );
    const { driver } = library.database.orm;
    const known = columns.map((column) => ({
      name: column.databaseName,
      type: driver.normalizeType(column) + (column.isArray ? '[]' : ''),
      nullable: column.isNullable,
    }));
    expect(known).toEqual(rows);
  });
});
