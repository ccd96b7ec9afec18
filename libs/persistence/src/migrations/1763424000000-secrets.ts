import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A copy of the installation's wrapped secrets, for the case that the broker with the key store is lost. */
export class Secrets1763424000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table cairn.secrets (
        name text primary key,
        record jsonb not null
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table cairn.secrets');
  }
}
