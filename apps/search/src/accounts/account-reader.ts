import { notFound } from '@cairn/access';
import { AccountView, type Page, type Principal, type QueryAnswer, type QueryData } from '@cairn/contracts';
import { columnsOf, fieldNames, readRows, viewOf, type RowOf } from '@cairn/persistence';
import type { KeyOpener } from '@cairn/retrieval';
import { openAccount } from '@cairn/vault';
import type { Pool } from 'pg';
import { ID_KEY, pageOf, readCursor } from '../cursor.js';

/** The unsealed columns of an account; label, settings and credential are sealed. */
const Shown = AccountView.omit({ label: true, settings: true, hasCredential: true });

interface AccountRow extends RowOf<typeof Shown> {
  readonly id: string;
  readonly sealed: Buffer;
  readonly wrappedKey: Buffer;
}

const CONNECTED = `
select ${columnsOf('a', [...fieldNames(Shown), 'sealed', 'wrappedKey'])}
  from library.accounts a
  where workspace_id = $1
    and disconnected_position is null
    and wrapped_key is not null`;

const LIST = `${CONNECTED}
    and ($2::uuid is null or id > $2)
  order by id
  limit $3`;

const GET = `${CONNECTED}
    and id = $2`;

type OpenedAccount = QueryAnswer<'account.open'>;

/** Accounts at sources, decrypted when they are read. */
export class AccountReader {
  constructor(
    private readonly pool: Pool,
    private readonly vault: KeyOpener,
  ) {}

  async list({ workspaceId }: Principal, { limit, cursor }: QueryData<'accounts.list'>): Promise<Page<AccountView>> {
    const values = [workspaceId, readCursor(cursor, ID_KEY), limit + 1];
    const rows = await readRows<AccountRow>(this.pool, LIST, values);
    return pageOf(
      rows,
      limit,
      ({ id }) => id,
      (row) => withoutCredential(this.opened(workspaceId, row)),
    );
  }

  async get(principal: Principal, query: QueryData<'account.get'>): Promise<AccountView> {
    return withoutCredential(await this.open(principal, query));
  }

  async open({ workspaceId }: Principal, { accountId }: QueryData<'account.open'>): Promise<OpenedAccount> {
    const [row] = await readRows<AccountRow>(this.pool, GET, [workspaceId, accountId]);
    if (!row) throw notFound('account');
    return this.opened(workspaceId, row);
  }

  private opened(workspaceId: string, row: AccountRow): OpenedAccount {
    const key = this.vault.unwrap(workspaceId, row.id, row.wrappedKey);
    const { label, settings, credential = null } = openAccount(key, workspaceId, row.id, row.sealed);
    return { ...viewOf(Shown, row), label, settings, hasCredential: credential !== null, credential };
  }
}

const withoutCredential = ({ credential: _, ...account }: OpenedAccount): AccountView => account;
