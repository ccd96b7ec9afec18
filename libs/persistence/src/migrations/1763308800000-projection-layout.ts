import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a build see that a read model was laid out by another one: it is then built anew from the log. */
export class ProjectionLayout1763308800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table cairn.projections add column layout text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table cairn.projections drop column layout');
  }
}
