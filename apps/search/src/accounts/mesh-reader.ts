import { notFound } from '@cairn/access';
import {
  MESH_DAILY_TOKENS_DEFAULT,
  meshUri,
  type ConfirmRule,
  type LocatedText,
  type Principal,
  type QueryAnswer,
  type QueryData,
  type Surface,
} from '@cairn/contracts';
import { systemClock, type Clock } from '@cairn/kernel';
import { readRows } from '@cairn/persistence';
import { openMeta, type Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import type { ItemReader } from '../items/item-reader.js';
import { confirmationToken, openConfirmation } from './fetch-confirmation.js';

interface SourceRow {
  readonly workspaceId: string;
  readonly meta: Buffer;
  readonly wrappedKey: Buffer;
  readonly isConnected: boolean;
  readonly hydrate: boolean;
  readonly confirm: ConfirmRule;
  readonly batchTokensMax: number;
  readonly dailyTokensMax: number | null;
  readonly hasQuota: boolean;
}

const SOURCE = `
select i.workspace_id as "workspaceId", i.meta, i.wrapped_key as "wrappedKey",
       a.disconnected_position is null as "isConnected", a.hydrate, a.confirm, a.batch_tokens_max as "batchTokensMax",
       q.max_used as "dailyTokensMax", q.name is not null as "hasQuota"
  from library.items i
  join library.accounts a on a.id = i.account_id and a.workspace_id = i.workspace_id
  left join library.quotas q on q.workspace_id = i.workspace_id and q.name = 'mesh_daily_tokens'
  where i.id = $1 and a.id = $2 and a.connector_id = $3`;

type Address = Pick<QueryData<'mesh.locate'>, 'connectorId' | 'accountId' | 'itemId'>;
type Checked = Pick<LocatedText, 'confirmation' | 'nonce' | 'maxTokens'>;

const UNCONFIRMED: Checked = { confirmation: 'none', nonce: null, maxTokens: null };

/** Locates the text of an item, and checks whether a person has agreed to the fetch. */
export class MeshReader {
  constructor(
    private readonly pool: Pool,
    private readonly vault: Pick<Vault, 'unwrap' | 'secrets'>,
    private readonly items: Pick<ItemReader, 'get'>,
    private readonly clock: Clock = systemClock,
  ) {}

  async locate(principal: Principal, data: QueryData<'mesh.locate'>): Promise<LocatedText> {
    const { item, row } = await this.find(principal, data, 'mcp');
    const { retention, content, title, inKb, folderId, placement } = item;
    const key = this.vault.unwrap(row.workspaceId, data.itemId, row.wrappedKey);
    const { externalRef = null } = openMeta(key, row.workspaceId, data.itemId, row.meta);
    const { hydrate, confirm, batchTokensMax } = row;
    return {
      itemId: data.itemId,
      title,
      inKb,
      folderId,
      ...(placement && { placement }),
      retention,
      text: retention === 'full' ? content : null,
      ref: retention === 'dark' ? null : externalRef,
      account: row.isConnected ? { hydrate, confirm, batchTokensMax } : null,
      ...(await this.checked(principal, data)),
      dailyTokensMax: row.hasQuota ? row.dailyTokensMax : MESH_DAILY_TOKENS_DEFAULT,
    };
  }

  async confirm(principal: Principal, data: QueryData<'mesh.confirm'>): Promise<QueryAnswer<'mesh.confirm'>> {
    await this.find(principal, data, 'rest');
    const { agentId, maxTokens } = data;
    const { workspaceId } = principal;
    const wanted = { workspaceId, uri: meshUri(data), agentId, maxTokens, nowMs: this.clock.now() };
    return confirmationToken(await this.vault.secrets(), wanted);
  }

  /** Finds an item that the caller may see at exactly this address; anything else is reported as not found. */
  private async find(principal: Principal, { itemId, accountId, connectorId }: Address, surface: Surface) {
    const item: QueryAnswer<'item.get'> = await this.items.get(principal, { itemId, surface });
    const [row] = await readRows<SourceRow & Record<string, unknown>>(this.pool, SOURCE, [
      itemId,
      accountId,
      connectorId,
    ]);
    if (!row) throw notFound('item');
    return { item, row };
  }

  private async checked(principal: Principal, { token, ...address }: QueryData<'mesh.locate'>): Promise<Checked> {
    if (token === undefined) return UNCONFIRMED;
    const { workspaceId, agentId } = principal;
    const caller = { workspaceId, agentId, uri: meshUri(address), nowMs: this.clock.now() };
    const opened = openConfirmation(await this.vault.secrets(), token, caller);
    return opened ? { confirmation: 'valid', ...opened } : { ...UNCONFIRMED, confirmation: 'invalid' };
  }
}
