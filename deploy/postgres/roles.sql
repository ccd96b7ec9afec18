-- The two roles of Cairn in Postgres. Run it with psql, as a superuser, in Cairn's database, before the first start of ingest:
--   CAIRN_INGEST_PASSWORD=… CAIRN_SEARCH_PASSWORD=… psql -d cairn -f deploy/postgres/roles.sql
-- It can be run again, for example to change a password.
\set ON_ERROR_STOP on
\getenv ingest_password CAIRN_INGEST_PASSWORD
\getenv search_password CAIRN_SEARCH_PASSWORD

select 'create role cairn_ingest login' where not exists (select from pg_roles where rolname = 'cairn_ingest') \gexec
select 'create role cairn_search login' where not exists (select from pg_roles where rolname = 'cairn_search') \gexec
alter role cairn_ingest password :'ingest_password';
alter role cairn_search password :'search_password';

-- Ingest and the command line create the read models and own them. Installing an extension may need a superuser.
create extension if not exists vector;
select format('grant connect, create on database %I to cairn_ingest', current_database()) \gexec
select format('grant connect on database %I to cairn_search', current_database()) \gexec
-- The record of migrations is in the schema public, which older servers open to everyone.
revoke create on schema public from public;
grant create on schema public to cairn_ingest;

-- A purge of forgotten content ends the current segment of the write-ahead log, so that it is removed. Postgres 15 or newer.
grant pg_checkpoint to cairn_ingest;
grant execute on function pg_switch_wal() to cairn_ingest;

-- Search can only read, and that includes every schema and table that ingest creates later.
alter default privileges for role cairn_ingest grant usage on schemas to cairn_search;
alter default privileges for role cairn_ingest grant select on tables to cairn_search;
alter role cairn_search set default_transaction_read_only = on;
