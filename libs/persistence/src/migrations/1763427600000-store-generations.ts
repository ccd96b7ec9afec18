import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A store outside Postgres carries a generation, and the checkpoint names the generation that it belongs to (ADR 0131).
 * `rebuilt_to` is the position from which on a store that was lost is complete again.
 */
export class StoreGenerations1763427600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table cairn.projections add column generation text');
    await runner.query('alter table cairn.projections add column rebuilt_to bigint not null default 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table cairn.projections drop column rebuilt_to');
    await runner.query('alter table cairn.projections drop column generation');
  }
}
