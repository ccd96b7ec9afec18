import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Projection tables are not here: each projection creates its own, one set per version (ADR 0005). */
export class Extensions1763251200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create extension if not exists vector');
    await runner.query(`
      do $$ begin
        if exists (select from pg_available_extensions where name = 'pg_textsearch') then
          create extension if not exists pg_textsearch;
        end if;
      end $$`);
    await runner.query('create schema if not exists cairn');
    await runner.query(`
      create table cairn.projections (
        name text primary key,
        version int not null,
        position bigint not null,
        epoch int not null,
        applied_at timestamptz
      )`);
    // The fence: a writer that does not find the checkpoint where it expects it was overtaken, and its transaction ends here.
    await runner.query(`
      create function cairn.move_checkpoint(slot text, expected bigint, expected_epoch int, reached bigint)
      returns void language plpgsql as $$
      begin
        update cairn.projections set position = reached, applied_at = now()
        where name = slot and position = expected and epoch = expected_epoch;
        if not found then
          raise exception 'projection % was moved by somebody else', slot using errcode = 'CAF01';
        end if;
      end $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema cairn cascade');
  }
}
