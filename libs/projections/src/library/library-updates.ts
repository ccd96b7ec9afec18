import type { Op } from '@cairn/contracts';

export type OpOf<T extends Op['type']> = Extract<Op, { type: T }>;
/** A statement that changes rows of earlier ops. */
export type Update = (sql: string, values: readonly unknown[]) => void;

export const folderConfigured = (update: Update, schema: string, { data }: OpOf<'folder.configured'>): void => {
  const { folderId, name = null, tier = null, readme = null, maxTokensPerRecall } = data;
  update(
    `update ${schema}.folders set name = coalesce($2, name), tier = coalesce($3, tier), readme = coalesce($4, readme),
       max_tokens_per_recall = case when $5::boolean then $6::int else max_tokens_per_recall end where id = $1`,
    [folderId, name, tier, readme, maxTokensPerRecall !== undefined, maxTokensPerRecall ?? null],
  );
};

export const tokenRevoked = (update: Update, schema: string, { data, at }: OpOf<'token.revoked'>): void =>
  update(`update ${schema}.tokens set revoked_at = $2 where id = $1 and revoked_at is null`, [data.tokenId, at]);

export const quotaSet = (update: Update, schema: string, { data, workspace }: OpOf<'quota.set'>): void =>
  update(
    `insert into ${schema}.quotas (workspace_id, name, max_used, used) values ($1, $2, $3, 0)
     on conflict (workspace_id, name) do update set max_used = excluded.max_used`,
    [workspace, data.name, data.limit],
  );

export const itemSuperseded = (update: Update, schema: string, { data, at }: OpOf<'item.superseded'>): void => {
  const { itemId, byItemId, headId, updatedIds } = data;
  update(`update ${schema}.items set superseded_by_id = $2, updated_at = $3 where id = $1`, [itemId, byItemId, at]);
  update(`update ${schema}.items set superseded_head_id = $2 where id = any($1::uuid[])`, [updatedIds, headId]);
  update(`update ${schema}.chunks set superseded = true where item_id = $1`, [itemId]);
};

/** Undone by a later op with the same id. */
export const entityMerged = (update: Update, schema: string, op: OpOf<'entity.merged' | 'entity.split'>): void =>
  update(
    `insert into ${schema}.merges (id, workspace_id, is_split, position) values ($1, $2, $3, $4)
     on conflict (id) do update set is_split = excluded.is_split, position = excluded.position`,
    [op.data.mergeId, op.workspace, op.type === 'entity.split', op.position],
  );
