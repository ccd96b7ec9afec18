import type { EventData, itemFields } from '@cairn/contracts';
import { RowBuffer } from '../row-buffer.js';
import { linkBuffer } from './library-links.js';

export interface CommandRow {
  readonly id: string;
  readonly workspace: string;
  readonly position: number;
  readonly first: number;
  readonly entity: string;
  readonly type: string;
  readonly token: string;
  readonly payload: string | null;
}

export interface ClientTokenRow {
  readonly workspace: string;
  readonly agent: string;
  readonly tool: string;
  readonly token: string;
  readonly command: string;
  readonly position: number;
  readonly at: string;
}

type Issued = EventData<'token.issued'>;

/** A token as in its op; lists are sent as array literals. */
interface TokenRow extends Omit<Issued, 'tokenId' | 'scopes' | 'folderIds' | 'toolsets' | 'restLimitPerHour'> {
  readonly id: string;
  readonly workspaceId: string;
  readonly scopes: string;
  readonly folderIds: string;
  readonly toolsets: string;
  readonly restLimitPerHour: number | null;
  readonly createdAt: string;
}

type Stored = EventData<'item.stored'>;

/** An item as in its op, with the sealed fields as bytes. */
interface ItemRow extends Pick<Stored, keyof typeof itemFields | 'folderId' | 'sourceKind' | 'createdByAgentId'> {
  readonly id: string;
  readonly workspaceId: string;
  readonly expiresAt: Stored['expiresAt'];
  readonly links: string;
  readonly meta: Buffer;
  readonly wrappedKey: Buffer;
  readonly chunkCount: number;
  readonly retention: string;
  readonly accountId: string | null;
  readonly externalKey: Buffer | null;
  readonly externalVersion: Buffer | null;
  readonly position: number;
  readonly createdAt: string;
}

/**
 * The insert statements of the `library` read model, one per table, each for any number of rows. A row that already exists
 * stays: ops that are applied again, after a checkpoint was set back, change nothing.
 */
export const libraryBuffers = () => ({
  workspaces: new RowBuffer<{ id: string; slug: string; name: string; at: string; head: number; hash: string }>(
    { id: 'uuid', slug: 'text', name: 'text', at: 'timestamptz', head: 'bigint', hash: 'text' },
    (schema, x) => `insert into ${schema}.workspaces (id, slug, name, created_at, head, head_hash)
      select * from ${x} on conflict do nothing`,
  ),
  folders: new RowBuffer<{
    id: string;
    workspace: string;
    slug: string;
    name: string;
    tier: string;
    cap: number | null;
    readme: string;
    isDefault: boolean;
    at: string;
  }>(
    {
      id: 'uuid',
      workspace: 'uuid',
      slug: 'text',
      name: 'text',
      tier: 'text',
      cap: 'int',
      readme: 'text',
      isDefault: 'boolean',
      at: 'timestamptz',
    },
    (schema, x) => `insert into ${schema}.folders
      (id, workspace_id, slug, name, tier, max_tokens_per_recall, readme, is_default, created_at)
      select * from ${x} on conflict do nothing`,
  ),
  tokens: new RowBuffer<TokenRow>(
    {
      id: 'uuid',
      workspaceId: 'uuid',
      secretHash: 'text',
      name: 'text',
      agentId: 'text',
      scopes: 'text',
      isUnscoped: 'boolean',
      folderIds: 'text',
      kbOnly: 'boolean',
      toolsets: 'text',
      rateLimitPerHour: 'int',
      restLimitPerHour: 'int',
      instanceAdmin: 'boolean',
      expiresAt: 'timestamptz',
      createdAt: 'timestamptz',
    },
    (schema, x) => `insert into ${schema}.tokens (id, workspace_id, secret_hash, name, agent_id, scopes, is_unscoped,
        folder_ids, kb_only, toolsets, rate_limit_per_hour, rest_limit_per_hour, instance_admin, expires_at, created_at)
      select id, "workspaceId", "secretHash", name, "agentId", scopes::text[], "isUnscoped", "folderIds"::uuid[], "kbOnly",
        toolsets::text[], "rateLimitPerHour", "restLimitPerHour", "instanceAdmin", "expiresAt", "createdAt" from ${x} on conflict do nothing`,
  ),
  items: new RowBuffer<ItemRow>(
    {
      id: 'uuid',
      workspaceId: 'uuid',
      folderId: 'uuid',
      inKb: 'boolean',
      kind: 'text',
      sourceKind: 'text',
      createdByAgentId: 'text',
      confidence: 'int',
      expiresAt: 'timestamptz',
      links: 'text',
      meta: 'bytea',
      wrappedKey: 'bytea',
      chunkCount: 'int',
      retention: 'text',
      accountId: 'uuid',
      externalKey: 'bytea',
      externalVersion: 'bytea',
      position: 'bigint',
      createdAt: 'timestamptz',
    },
    (schema, x) => `with added as (
        insert into ${schema}.items (id, workspace_id, folder_id, in_kb, kind, source_kind, created_by_agent_id,
          confidence, expires_at, links, meta, wrapped_key, chunk_count, retention, account_id, external_key, external_version,
          position, created_at, updated_at)
        select id, "workspaceId", "folderId", "inKb", kind, "sourceKind", "createdByAgentId", confidence, "expiresAt",
          links::jsonb, meta, "wrappedKey", "chunkCount", retention, "accountId", "externalKey", "externalVersion", position,
          "createdAt", "createdAt" from ${x} on conflict do nothing returning workspace_id, kind, folder_id, in_kb
      ), counted as (
        update ${schema}.folders f set item_count = f.item_count + added_here.n
        from (select folder_id, count(*) as n from added where in_kb group by folder_id) added_here
        where f.id = added_here.folder_id
      )
      insert into ${schema}.quotas as q (workspace_id, name, used)
      select workspace_id, 'knowledge_stored', count(*) from added where kind = 'knowledge' group by workspace_id
      on conflict (workspace_id, name) do update set used = q.used + excluded.used`,
  ),
  bodies: new RowBuffer<{
    id: string;
    item: string;
    ordinal: number;
    text: Buffer;
    hash: Buffer;
    key: Buffer;
    tokens: number;
  }>(
    { id: 'uuid', item: 'uuid', ordinal: 'int', text: 'bytea', hash: 'bytea', key: 'bytea', tokens: 'int' },
    (schema, x) =>
      `insert into ${schema}.bodies (chunk_id, item_id, ordinal, text, text_hash, wrapped_key, tokens) select * from ${x}
      on conflict do nothing`,
  ),
  chunks: new RowBuffer<{
    id: string;
    workspace: string;
    folder: string;
    item: string;
    hash: Buffer;
    superseded: boolean;
    expires: string | null;
    tags: string;
    tokens: number;
    title: string | null;
    plaintext: string;
    position: number;
  }>(
    {
      id: 'uuid',
      workspace: 'uuid',
      folder: 'uuid',
      item: 'uuid',
      hash: 'bytea',
      superseded: 'boolean',
      expires: 'timestamptz',
      tags: 'text',
      tokens: 'int',
      title: 'text',
      plaintext: 'text',
      position: 'bigint',
    },
    (schema, x) => `with added as (
        insert into ${schema}.chunks
          (id, workspace_id, folder_id, item_id, text_hash, superseded, expires_at, tags, tokens, title, words, position)
        select id, workspace, folder, item, hash, superseded, expires, tags::text[], tokens, title,
          to_tsvector('simple', plaintext), position
        from ${x} on conflict do nothing returning folder_id, tokens
      )
      update ${schema}.folders f
      set chunk_count = f.chunk_count + counted.n, token_count = f.token_count + counted.tokens
      from (select folder_id, count(*) as n, sum(tokens) as tokens from added group by folder_id) counted
      where f.id = counted.folder_id`,
  ),
  commands: new RowBuffer<CommandRow>(
    {
      id: 'uuid',
      workspace: 'uuid',
      position: 'bigint',
      first: 'bigint',
      entity: 'uuid',
      type: 'text',
      token: 'uuid',
      payload: 'text',
    },
    (schema, x) => `insert into ${schema}.commands
        (id, workspace_id, position, first_position, entity_id, type, token_id, payload_hash) select * from ${x}
      on conflict (workspace_id, id) do update set position = excluded.position`,
  ),
  links: linkBuffer(),
  clientTokens: new RowBuffer<ClientTokenRow>(
    {
      workspace: 'uuid',
      agent: 'text',
      tool: 'text',
      token: 'uuid',
      command: 'uuid',
      position: 'bigint',
      at: 'timestamptz',
    },
    (schema, x) => `insert into ${schema}.client_tokens as t
        (workspace_id, agent_id, tool, token, command_id, position, used_at) select * from ${x}
      on conflict (workspace_id, agent_id, tool, token) do update
        set command_id = excluded.command_id, position = excluded.position, used_at = excluded.used_at
        where t.position < excluded.position`,
  ),
});

export type LibraryBuffers = ReturnType<typeof libraryBuffers>;
