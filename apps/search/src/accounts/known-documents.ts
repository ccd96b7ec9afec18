import { notFound } from '@cairn/access';
import {
  isTighter,
  RETENTIONS,
  type Principal,
  type QueryAnswer,
  type QueryData,
  type Retention,
} from '@cairn/contracts';
import { readRows } from '@cairn/persistence';
import type { KeyOpener } from '@cairn/retrieval';
import { keyedHash } from '@cairn/vault';
import type { Pool } from 'pg';

const ACCOUNT = `
select a.retention, a.wrapped_key as "wrappedKey", w.head
  from library.accounts a join library.workspaces w on w.id = a.workspace_id
  where a.workspace_id = $1 and a.id = $2 and a.wrapped_key is not null`;

/**
 * Only the newest item of a document gives its known version. A document that still has an item with more text than its
 * retention allows counts as unknown.
 */
const KNOWN = `
select distinct on (i.external_key) encode(i.external_key, 'hex') as key, encode(i.external_version, 'hex') as version
  from library.items i
  where i.account_id = $1 and i.external_key = any ($2::bytea[])
    and not exists (select from library.items l
      where l.account_id = $1 and l.external_key = i.external_key and l.retention = any ($3::text[]))
  order by i.external_key, i.position desc`;

/** Compares documents of a source with the stored ones, by hashes under the account's key. */
export class KnownDocuments {
  constructor(
    private readonly pool: Pool,
    private readonly vault: KeyOpener,
  ) {}

  async find(
    { workspaceId }: Principal,
    { accountId, documents }: QueryData<'account.known'>,
  ): Promise<QueryAnswer<'account.known'>> {
    const [account] = await readRows<{ retention: Retention; wrappedKey: Buffer; head: string }>(this.pool, ACCOUNT, [
      workspaceId,
      accountId,
    ]);
    if (!account) throw notFound('account');
    const key = this.vault.unwrap(workspaceId, accountId, account.wrappedKey);
    const wanted = documents.map(({ ref, version }) => ({
      ref,
      key: keyedHash(key, ref),
      version: keyedHash(key, `${account.retention} ${version}`),
    }));
    const rows = await readRows<{ key: string; version: string }>(this.pool, KNOWN, [
      accountId,
      wanted.map((document) => Buffer.from(document.key, 'hex')),
      RETENTIONS.filter((retention) => isTighter(account.retention, retention)),
    ]);
    const known = new Map(rows.map((row) => [row.key, row.version]));
    const refs = wanted.filter((document) => known.get(document.key) === document.version).map(({ ref }) => ref);
    return { refs, position: Number(account.head) };
  }
}
