import { pageOf, tightestRetention } from '@cairn/contracts';
import type { CairnPort } from '@cairn/mcp-tools';
import { Body, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import type { z } from 'zod';
import { AccountSync } from '../connectors/account-sync.js';
import { ConnectorRegistry } from '../connectors/connector-registry.js';
import {
  AccountAnswer,
  accountChange,
  AccountWrittenAnswer,
  newAccount,
  SyncedAnswer,
  syncQuery,
} from './account.schema.js';
import { BY_ID } from './by-id.js';
import { idParam, pageQuery } from './common.schema.js';
import { Operation } from './operation.decorator.js';
import { RestController } from './rest-controller.decorator.js';
import { Call, RestCall } from './rest-request.js';

const written = async (cairn: CairnPort, result: { readonly accountId: string; readonly position: number }) => ({
  ...(await cairn.query('account.get', { accountId: result.accountId })),
  position: result.position,
});

@RestController('accounts', { access: 'admin' })
export class AccountsController {
  constructor(
    private readonly registry: ConnectorRegistry,
    private readonly accounts: AccountSync,
  ) {}

  @Post()
  @Operation({ summary: 'Connect an account at a source', status: 201, answer: AccountWrittenAnswer, takesKey: true })
  async connect(@Body({ schema: newAccount }) body: z.output<typeof newAccount>, @Call() call: RestCall) {
    const connector = this.registry.get(body.connectorId);
    const { multiAccount, retention } = connector.manifest;
    const data = {
      ...body,
      accountId: call.newId('account'),
      retention: tightestRetention(retention, body.retention ?? retention),
      settings: await this.registry.settings(connector, body.settings),
      multiAccount,
    };
    return written(call.cairn, await call.cairn.command('account.connect', data));
  }

  @Get()
  @Operation({ summary: 'List the accounts of the workspace, without secrets', answer: pageOf(AccountAnswer) })
  list(@Query({ schema: pageQuery }) page: z.output<typeof pageQuery>, @Call() { cairn }: RestCall) {
    return cairn.query('accounts.list', page);
  }

  @Get(BY_ID)
  @Operation({ summary: 'Get an account, without its secret', answer: AccountAnswer })
  get(@Param({ schema: idParam }) { id }: z.output<typeof idParam>, @Call() { cairn }: RestCall) {
    return cairn.query('account.get', { accountId: id });
  }

  @Patch(BY_ID)
  @Operation({
    summary: 'Change an account: its label, its rules, its settings or its credential',
    note: 'At least one field.',
    answer: AccountWrittenAnswer,
    takesKey: true,
  })
  async change(
    @Body({ schema: accountChange }) body: z.output<typeof accountChange>,
    @Param({ schema: idParam }) { id }: z.output<typeof idParam>,
    @Call() { cairn }: RestCall,
  ) {
    const { retention, settings } = body;
    const { connectorId } = await cairn.query('account.get', { accountId: id });
    const connector = this.registry.get(connectorId);
    const data = {
      ...body,
      accountId: id,
      ...(retention && { retention: tightestRetention(connector.manifest.retention, retention) }),
      ...(settings && { settings: await this.registry.settings(connector, settings) }),
    };
    return written(cairn, await cairn.command('account.configure', data));
  }

  @Post(`${BY_ID}/sync`)
  @Operation({
    summary: 'Store what the source of an account has',
    note:
      'Each document becomes an item of the account’s retention. Again, nothing is doubled: a changed document becomes a ' +
      'new item that supersedes the earlier one. A call stores at most 1,000 documents and takes about a minute at most: left says how many wait for ' +
      'another one, which nextCursor continues. Those that cannot be read are counted, and the first of them named. ' +
      'Only one call per account runs at a time.',
    answer: SyncedAnswer,
  })
  sync(
    @Param({ schema: idParam }) { id }: z.output<typeof idParam>,
    @Query({ schema: syncQuery }) { cursor }: z.output<typeof syncQuery>,
    @Call() { cairn, principal }: RestCall,
  ) {
    return this.accounts.sync(cairn, principal, id, cursor);
  }

  @Delete(BY_ID)
  @Operation({
    summary: 'Disconnect an account; its credential is destroyed',
    note: 'Items that came from it stay. Nothing is fetched for them any more.',
    status: 204,
    takesKey: true,
  })
  async disconnect(
    @Param({ schema: idParam }) { id }: z.output<typeof idParam>,
    @Call() { cairn }: RestCall,
  ): Promise<void> {
    await cairn.command('account.disconnect', { accountId: id });
  }
}
