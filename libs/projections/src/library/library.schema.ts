/**
 * Tables of the `library` read model. `schema` is `library` for the live version and `library_next` for one that is
 * being rebuilt beside it; a swap renames the schemas, so readers always say `library`.
 *
 * Two kinds of tables: `items` and `bodies` hold ciphertext with the wrapped keys beside it; `chunks` is what search
 * reads, derived from plaintext, and exists only for items that are in the knowledge base.
 */
export const libraryTables = (schema: string): string => `
create schema ${schema};

create table ${schema}.workspaces (
  id uuid primary key,
  -- not unique: a recorded fact is accepted; the decider refuses a taken slug
  slug text not null,
  name text not null,
  created_at timestamptz not null,
  -- position and chain hash of the workspace's newest op: what an append expects
  head bigint not null,
  head_hash text not null
);

create table ${schema}.folders (
  id uuid primary key,
  workspace_id uuid not null,
  slug text not null,
  name text not null,
  tier text not null,
  max_tokens_per_recall int,
  readme text not null,
  is_default boolean not null,
  -- of what is in the knowledge base, so that nobody has to count rows: chunk_count also lets search choose between the
  -- index and an exact scan
  item_count int not null default 0,
  chunk_count int not null default 0,
  token_count bigint not null default 0,
  created_at timestamptz not null,
  unique (workspace_id, slug)
);

create table ${schema}.tokens (
  id uuid primary key,
  workspace_id uuid not null,
  secret_hash text not null,
  name text not null,
  agent_id text not null,
  scopes text[] not null,
  is_unscoped boolean not null,
  folder_ids uuid[] not null,
  kb_only boolean not null,
  toolsets text[] not null,
  rate_limit_per_hour int,
  instance_admin boolean not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null
);
create index on ${schema}.tokens (workspace_id, created_at);

create table ${schema}.items (
  id uuid primary key,
  workspace_id uuid not null,
  folder_id uuid not null,
  in_kb boolean not null,
  kind text not null,
  source_kind text not null,
  created_by_agent_id text not null,
  confidence int not null,
  expires_at timestamptz,
  -- the direct replacement, and the newest one at the end of the chain
  superseded_by_id uuid,
  superseded_head_id uuid,
  -- of ops that say them in the clear; those of later ops are in meta
  links jsonb not null,
  meta bytea not null,
  wrapped_key bytea not null,
  chunk_count int not null,
  position bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index on ${schema}.items (workspace_id, position desc);
create index on ${schema}.items (superseded_by_id) where superseded_by_id is not null;

create table ${schema}.bodies (
  chunk_id uuid primary key,
  item_id uuid not null,
  ordinal int not null,
  text bytea not null,
  text_hash bytea not null,
  wrapped_key bytea not null,
  tokens int not null
);
create index on ${schema}.bodies (item_id, ordinal);

create table ${schema}.chunks (
  id uuid primary key,
  workspace_id uuid not null,
  folder_id uuid not null,
  item_id uuid not null,
  text_hash bytea not null,
  superseded boolean not null,
  expires_at timestamptz,
  tags text[] not null,
  tokens int not null,
  -- on the first chunk that an item has left: a title is matched once per item
  title text,
  words tsvector not null
);
create index on ${schema}.chunks (workspace_id, folder_id);
create index on ${schema}.chunks (item_id);
alter table ${schema}.chunks alter column title set statistics 0;
alter table ${schema}.chunks alter column words set statistics 0;
alter table ${schema}.chunks alter column tags set statistics 0;

create table ${schema}.commands (
  workspace_id uuid not null,
  id uuid not null,
  position bigint not null,
  entity_id uuid not null,
  -- what was done under this id, by whom and with which content: tells a repeat from a reuse
  type text not null,
  token_id uuid not null,
  payload_hash text,
  primary key (workspace_id, id)
);

create table ${schema}.quotas (
  workspace_id uuid not null,
  name text not null,
  -- null is no limit
  max_used int,
  used int not null,
  primary key (workspace_id, name)
);

-- texts that wait for a person's decision, and what became of them
create table ${schema}.confirmations (
  id uuid primary key,
  workspace_id uuid not null,
  agent_id text not null,
  reason text not null,
  kind text not null,
  payload_hash text not null,
  -- ciphertext and its key; null once the confirmation is resolved
  sealed bytea,
  wrapped_key bytea,
  expires_at timestamptz not null,
  -- set while it is discarded: until then it can be restored
  restorable_until timestamptz,
  position bigint not null,
  created_at timestamptz not null,
  folder_id uuid,
  item_id uuid,
  resolved_position bigint
);
create index on ${schema}.confirmations (workspace_id, position) where resolved_position is null;
create index on ${schema}.confirmations (resolved_position) where resolved_position is not null;

-- what was forgotten, by ids only; the receipt is there once nothing is left anywhere
create table ${schema}.forgets (
  receipt_id uuid primary key,
  workspace_id uuid not null,
  item_id uuid not null,
  chunk_ids uuid[] not null,
  source_removed boolean not null,
  -- positions of the ops that held its content
  erased bigint[] not null,
  position bigint not null,
  forgotten_at timestamptz not null,
  receipt jsonb
);
create index on ${schema}.forgets (position) where receipt is null;
create index on ${schema}.forgets (item_id);

-- which command a clientToken stands for, by ids only: what the command asked for is told by its own row
create table ${schema}.client_tokens (
  workspace_id uuid not null,
  agent_id text not null,
  tool text not null,
  token uuid not null,
  command_id uuid not null,
  position bigint not null,
  used_at timestamptz not null,
  primary key (workspace_id, agent_id, tool, token)
);
`;

export const libraryIndexes = (schema: string): string[] => [
  `create index if not exists chunks_words on ${schema}.chunks using gin (words)`,
];
