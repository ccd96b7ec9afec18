import { notFound } from '@cairn/access';
import { isTighter, type CommandData, type Retention } from '@cairn/contracts';
import { decideSyncItem, type Synced } from '@cairn/domain';
import { readRows } from '@cairn/persistence';
import { keyedHash } from '@cairn/vault';
import type { Pool } from 'pg';
import { anyFolderOf, type Command } from './command.js';
import { sealItem } from './seal-item.js';

/** A source's statements about its own documents are taken as they are. */
const CONFIDENCE = 100;

/** A dark item keeps nothing that identifies its document. */
const itemOf = ({ title, text, uri, kind, retention, ref, format }: CommandData<'item.sync'>) => ({
  title,
  text,
  kind,
  ...(format && { format }),
  tags: [],
  inKb: retention !== 'dark',
  confidence: CONFIDENCE,
  expiresAt: null,
  surface: 'rest' as const,
  source: {
    kind: 'connector' as const,
    ...(retention !== 'dark' && { name: ref.slice(-500), ...(uri !== undefined && { uri }) }),
  },
});

/** Items of a document that hold more than the rule allows: a repeat names those that are still to be forgotten. */
const looserThan = async (
  pool: Pool,
  { accountId, retention }: CommandData<'item.sync'>,
  key: string,
): Promise<string[]> => {
  const rows = await readRows<{ id: string; retention: Retention }>(
    pool,
    'select id, retention from library.items where account_id = $1 and external_key = $2 order by position desc',
    [accountId, Buffer.from(key, 'hex')],
  );
  return rows.filter((row) => isTighter(retention, row.retention)).map(({ id }) => id);
};

export const syncItem: Command<'item.sync'> = {
  prepare: async (request, context) => {
    const { id: commandId, principal, data } = request;
    const { accountId, ref, version, retention } = data;
    const { workspaceId } = principal;
    const accountKeys = await context.vault.find(workspaceId, accountId);
    if (!accountKeys) throw notFound('account');
    const document = {
      key: keyedHash(accountKeys.item, ref),
      version: keyedHash(accountKeys.item, `${retention} ${version}`),
    };
    const externalRef = retention === 'dark' ? undefined : ref;
    const { item, keys } = sealItem(workspaceId, itemOf(data), context, { externalRef });
    let made: Synced | undefined;
    return {
      needs: { accounts: true, mirrors: [{ accountId, key: document.key }], folders: anyFolderOf(principal) },
      decide: (state, atMs) => {
        made = decideSyncItem(state, {
          commandId,
          principal,
          atMs,
          data: { command: { accountId, retention }, item, document },
        });
        return made;
      },
      beforeAppend: () => context.vault.keep(workspaceId, item.itemId, keys),
      // A repeat is not decided again, and only what was stored is known by its id.
      answer: async ({ entityId: itemId, position }) => {
        const { outcome = 'stored', looserIds = await looserThan(context.pool, data, document.key) } = made ?? {};
        return { itemId, outcome, looserIds: [...looserIds], position };
      },
    };
  },
};
