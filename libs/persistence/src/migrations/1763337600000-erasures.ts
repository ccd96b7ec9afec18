import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The progress of the erasure of something forgotten; steps whose record is lost are repeated. */
export class Erasures1763337600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table cairn.erasures (
        receipt_id uuid primary key,
        shredded_at timestamptz not null
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table cairn.erasures');
  }
}
