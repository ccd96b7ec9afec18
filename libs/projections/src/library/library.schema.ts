import { table } from '@cairn/persistence';
import { keyFunctions } from './library-keys.sql.js';

/**
 * Tables of the `library` read model. Their schema is `library` for the live version and `library_next` for one that is
 * being rebuilt next to it; a swap renames the schemas, so readers always name `library`.
 *
 * `items` and `bodies` hold ciphertext with the wrapped keys next to it. Search reads `chunks`: it is derived from
 * plaintext, and has rows only for items in the knowledge base.
 */
export const libraryTables = {
  workspaces: table({
    columns: {
      id: 'uuid primary key',
      // Not unique: a recorded fact is accepted; the decider refuses a slug that is taken.
      slug: 'text not null',
      name: 'text not null',
      created_at: 'timestamptz not null',
      // Position and chain hash of the workspace's newest op, which an append expects.
      head: 'bigint not null',
      head_hash: 'text not null',
    },
  }),
  folders: table({
    columns: {
      id: 'uuid primary key',
      workspace_id: 'uuid not null',
      slug: 'text not null',
      name: 'text not null',
      tier: 'text not null',
      max_tokens_per_recall: 'int',
      readme: 'text not null',
      is_default: 'boolean not null',
      // Counts for the knowledge base, so that readers need not count rows. Search also uses chunk_count to choose
      // between the index and an exact scan.
      item_count: 'int not null default 0',
      chunk_count: 'int not null default 0',
      token_count: 'bigint not null default 0',
      created_at: 'timestamptz not null',
    },
    constraints: ['unique (workspace_id, slug)'],
  }),
  tokens: table({
    columns: {
      id: 'uuid primary key',
      workspace_id: 'uuid not null',
      secret_hash: 'text not null',
      name: 'text not null',
      agent_id: 'text not null',
      scopes: 'text[] not null',
      is_unscoped: 'boolean not null',
      folder_ids: 'uuid[] not null',
      kb_only: 'boolean not null',
      toolsets: 'text[] not null',
      rate_limit_per_hour: 'int',
      rest_limit_per_hour: 'int',
      instance_admin: 'boolean not null',
      expires_at: 'timestamptz not null',
      revoked_at: 'timestamptz',
      created_at: 'timestamptz not null',
    },
    indexes: ['(workspace_id, created_at)'],
  }),
  items: table({
    columns: {
      id: 'uuid primary key',
      workspace_id: 'uuid not null',
      folder_id: 'uuid not null',
      in_kb: 'boolean not null',
      kind: 'text not null',
      source_kind: 'text not null',
      created_by_agent_id: 'text not null',
      confidence: 'int not null',
      expires_at: 'timestamptz',
      // The direct replacement, and the newest one or, after many changes, one on the way to it (ADR 0104).
      superseded_by_id: 'uuid',
      superseded_head_id: 'uuid',
      // Only for ops that carry them unencrypted; later ops have them in meta.
      links: 'jsonb not null',
      meta: 'bytea not null',
      wrapped_key: 'bytea not null',
      chunk_count: 'int not null',
      // How much of the source's text is stored, and the account that the item came from.
      retention: 'text not null',
      account_id: 'uuid',
      // The document of the source and its state, hashed under the account's key.
      external_key: 'bytea',
      external_version: 'bytea',
      position: 'bigint not null',
      created_at: 'timestamptz not null',
      updated_at: 'timestamptz not null',
    },
    indexes: [
      '(workspace_id, position desc)',
      '(superseded_by_id) where superseded_by_id is not null',
      '(account_id, external_key) where account_id is not null',
    ],
  }),
  bodies: table({
    columns: {
      chunk_id: 'uuid primary key',
      item_id: 'uuid not null',
      ordinal: 'int not null',
      text: 'bytea not null',
      text_hash: 'bytea not null',
      wrapped_key: 'bytea not null',
      tokens: 'int not null',
    },
    indexes: ['(item_id, ordinal)'],
  }),
  chunks: table({
    columns: {
      id: 'uuid primary key',
      workspace_id: 'uuid not null',
      folder_id: 'uuid not null',
      item_id: 'uuid not null',
      text_hash: 'bytea not null',
      superseded: 'boolean not null',
      expires_at: 'timestamptz',
      tags: 'text[] not null',
      tokens: 'int not null',
      // Only on the first remaining chunk of an item, so that a title matches once per item.
      title: 'text',
      words: 'tsvector not null',
      // Of the op that gave it its text or its folder, so that a reader that holds vectors in memory finds what has changed.
      position: 'bigint not null default 0',
    },
    indexes: ['(workspace_id, folder_id)', '(workspace_id, position)', '(item_id)'],
    withoutStatistics: ['title', 'words', 'tags'],
    // Ranking reads the words of every match. Beside the other columns they are read three times as fast as from a
    // table of large values.
    storage: 'toast_tuple_target = 4080',
  }),
  commands: table({
    columns: {
      workspace_id: 'uuid not null',
      id: 'uuid not null',
      // Of its last op. The rest of the row is taken from its first, also where that one was erased and later ones stay.
      position: 'bigint not null',
      first_position: 'bigint not null',
      entity_id: 'uuid not null',
      // The type, token and content of the command with this id: they distinguish a repeat from a reuse.
      type: 'text not null',
      token_id: 'uuid not null',
      payload_hash: 'text',
    },
    constraints: ['primary key (workspace_id, id)'],
  }),
  quotas: table({
    columns: {
      workspace_id: 'uuid not null',
      name: 'text not null',
      // Null means no limit.
      max_used: 'int',
      used: 'int not null',
    },
    constraints: ['primary key (workspace_id, name)'],
  }),
  // Texts that wait for a person's decision, and the outcome.
  confirmations: table({
    columns: {
      id: 'uuid primary key',
      workspace_id: 'uuid not null',
      agent_id: 'text not null',
      reason: 'text not null',
      kind: 'text not null',
      payload_hash: 'text not null',
      // Ciphertext and its key; null once the confirmation is resolved.
      sealed: 'bytea',
      wrapped_key: 'bytea',
      expires_at: 'timestamptz not null',
      // Set while the text is discarded: it can be restored until this time.
      restorable_until: 'timestamptz',
      position: 'bigint not null',
      created_at: 'timestamptz not null',
      folder_id: 'uuid',
      item_id: 'uuid',
      resolved_position: 'bigint',
    },
    indexes: [
      '(workspace_id, position) where resolved_position is null',
      '(resolved_position) where resolved_position is not null',
    ],
  }),
  // Accounts at sources. A disconnected account keeps its ids, without the sealed part and its key.
  accounts: table({
    columns: {
      id: 'uuid primary key',
      workspace_id: 'uuid not null',
      connector_id: 'text not null',
      folder_id: 'uuid not null',
      retention: 'text not null',
      hydrate: 'boolean not null',
      confirm: 'text not null',
      batch_tokens_max: 'int not null',
      // Label, settings and credential, and their key.
      sealed: 'bytea',
      wrapped_key: 'bytea',
      created_at: 'timestamptz not null',
      disconnected_position: 'bigint',
    },
    indexes: ['(workspace_id, id)', '(disconnected_position) where disconnected_position is not null'],
  }),
  // Merges of two names, by ids only: a command that undoes one decides on them.
  merges: table({
    columns: {
      id: 'uuid primary key',
      workspace_id: 'uuid not null',
      is_split: 'boolean not null',
      position: 'bigint not null',
    },
  }),
  // Forgotten items and chunks, by ids only. The receipt is set once nothing is left in any store.
  forgets: table({
    columns: {
      receipt_id: 'uuid primary key',
      workspace_id: 'uuid not null',
      item_id: 'uuid not null',
      chunk_ids: 'uuid[] not null',
      source_removed: 'boolean not null',
      // Positions of the ops that held its content.
      erased: 'bigint[] not null',
      position: 'bigint not null',
      forgotten_at: 'timestamptz not null',
      receipt: 'jsonb',
    },
    indexes: ['(position) where receipt is null', '(item_id)'],
  }),
  // External MCP servers: name, settings and approved definitions; address and credential are sealed, with their
  // wrapped key.
  external_mcp_servers: table({
    columns: {
      id: 'uuid primary key',
      workspace_id: 'uuid not null',
      name: 'text not null',
      transport: 'text not null',
      enabled: 'boolean not null',
      approval: 'text not null',
      tools: 'jsonb not null',
      // Null once the server is removed.
      sealed: 'bytea',
      wrapped_key: 'bytea',
      position: 'bigint not null',
      removed_position: 'bigint',
    },
    indexes: ['(workspace_id) where removed_position is null', '(removed_position) where removed_position is not null'],
  }),
  // Stated links: ids only. They are here and not in the graph projection, because a command decides on them.
  memory_links: table({
    columns: {
      id: 'uuid primary key',
      workspace_id: 'uuid not null',
      from_id: 'uuid not null',
      to_id: 'uuid not null',
      type: 'text not null',
      confidence: 'real not null',
      source_kind: 'text not null',
      // Whether the item that this one was derived from is forgotten. Readers show that and nothing else of it.
      to_gone: 'boolean not null',
      // Where that item was: only those who could see it there are shown that something is gone.
      gone_folder_id: 'uuid',
      gone_in_kb: 'boolean',
      position: 'bigint not null',
    },
    indexes: ['(from_id)', '(to_id)'],
  }),
  // The command that a clientToken identifies, by ids only: its content is in the row of the command.
  client_tokens: table({
    columns: {
      workspace_id: 'uuid not null',
      agent_id: 'text not null',
      tool: 'text not null',
      token: 'uuid not null',
      command_id: 'uuid not null',
      position: 'bigint not null',
      used_at: 'timestamptz not null',
    },
    constraints: ['primary key (workspace_id, agent_id, tool, token)'],
  }),
};

/**
 * New entries of a key index wait in a list until it has this many kB; every search reads it, once for each key. Adding
 * them earlier costs more time per chunk. A title has fewer keys than a text, and a search asks for more of them.
 */
const PENDING_KB = { words: 1_024, titles: 256 };

const keyIndex = (schema: string, name: keyof typeof PENDING_KB, keys: string, where = ''): string[] => [
  `create index if not exists chunks_${name} on ${schema}.chunks using gin ((${schema}.${keys}))
   with (gin_pending_list_limit = ${PENDING_KB[name]})${where}`,
  `alter index ${schema}.chunks_${name} alter column 1 set statistics 0`,
];

export const libraryIndexes = (schema: string): string[] => [
  ...keyFunctions(schema),
  ...keyIndex(schema, 'words', 'word_keys(workspace_id, words)'),
  ...keyIndex(schema, 'titles', 'title_keys(workspace_id, title)', ' where title is not null'),
  // Titles in the order of their ranks, which is the same for every query.
  `create index if not exists chunks_title_lengths on ${schema}.chunks
   (workspace_id, (greatest(char_length(title), 1)), id) where title is not null`,
];
