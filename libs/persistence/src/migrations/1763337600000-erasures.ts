import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the erasure of something forgotten has come; what is lost here is done again. */
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
