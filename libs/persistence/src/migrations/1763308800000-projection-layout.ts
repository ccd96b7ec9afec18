import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Shows a build that another one laid out a read model differently; the read model is then rebuilt from the log. */
export class ProjectionLayout1763308800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table cairn.projections add column layout text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table cairn.projections drop column layout');
  }
}
