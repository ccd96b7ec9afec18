import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The builds of Cairn that have filled read models here, by the layouts of their read models (ADR 0125). The one that
 * went live last is live; one that was asked for since may take over.
 */
export class Builds1763431200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table cairn.builds (
        id text primary key,
        live_at timestamptz,
        wanted_at timestamptz
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table cairn.builds');
  }
}
