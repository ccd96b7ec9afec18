import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CommandData, Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { openAccount } from '@cairn/vault';
import { IngestUnderTest } from './ingest-under-test.harness.js';
import { OP_PROJECTIONS, rebuilt } from './rebuilt.harness.js';

let ingest: IngestUnderTest;
let admin: Principal;
beforeAll(async () => {
  ingest = await IngestUnderTest.start({ erases: false });
  admin = await ingest.workspace();
});
afterAll(() => ingest.stop());

const SECRET = 'credential-canary-7f3a91';

const accountData = (more: Partial<CommandData<'account.connect'>> = {}): CommandData<'account.connect'> => ({
  accountId: systemIds.next(),
  connectorId: 'folder',
  label: 'My notes',
  retention: 'full',
  hydrate: true,
  confirm: 'never',
  batchTokensMax: 4_000,
  settings: { path: '/srv/notes' },
  credential: SECRET,
  multiAccount: true,
  ...more,
});

interface Row {
  readonly sealed: Buffer | null;
  readonly wrapped_key: Buffer | null;
  readonly hydrate: boolean;
  readonly disconnected_position: string | null;
}

const rowOf = async (accountId: string): Promise<Row> =>
  (await ingest.pool.query<Row & Record<string, unknown>>('select * from library.accounts where id = $1', [accountId]))
    .rows[0]!;

const openedOf = async (accountId: string) => {
  const { sealed, wrapped_key: wrapped } = await rowOf(accountId);
  return openAccount(
    ingest.vault.unwrap(admin.workspaceId, accountId, wrapped!),
    admin.workspaceId,
    accountId,
    sealed!,
  );
};

const holdsOnDisk = (text: string | Buffer): boolean =>
  [ingest.broker.storeDir, ingest.database.dataDir].some((dir) =>
    readdirSync(dir, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .some((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(text)),
  );

describe('an account', () => {
  it('is stored with label, settings and credential sealed under a key of its own', async () => {
    const { accountId } = await ingest.command(admin, 'account.connect', accountData());
    expect(await openedOf(accountId)).toEqual({
      label: 'My notes',
      settings: { path: '/srv/notes' },
      credential: SECRET,
    });
    expect(await ingest.vault.hasKeys(admin.workspaceId, accountId)).toBe(true);
  });

  it('is connected once when the request is repeated under its key', async () => {
    const key = systemIds.next();
    const first = await ingest.command(admin, 'account.connect', accountData(), key);
    expect(await ingest.command(admin, 'account.connect', accountData(), key)).toEqual(first);
  });

  it('changes the given fields, keeps the others, and removes its credential when given null', async () => {
    const { accountId } = await ingest.command(admin, 'account.connect', accountData());
    await ingest.command(admin, 'account.configure', { accountId, label: 'Renamed', hydrate: false });
    expect(await openedOf(accountId)).toMatchObject({ label: 'Renamed', credential: SECRET });
    expect(await rowOf(accountId)).toMatchObject({ hydrate: false });
    await ingest.command(admin, 'account.configure', { accountId, credential: null });
    expect(await openedOf(accountId)).toEqual({ label: 'Renamed', settings: { path: '/srv/notes' } });
  });

  it('appends nothing for a change without new values', async () => {
    const { accountId, position } = await ingest.command(admin, 'account.connect', accountData());
    await ingest.command(admin, 'account.configure', { accountId, label: 'My notes', retention: 'full' });
    expect(await ingest.log.head()).toBe(position);
  });

  it('leaves no key and no credential when it is disconnected', async () => {
    const { accountId } = await ingest.command(admin, 'account.connect', accountData());
    const { wrapped_key: wrapped } = await rowOf(accountId);
    await ingest.command(admin, 'account.disconnect', { accountId });
    expect(await rowOf(accountId)).toMatchObject({ sealed: null, wrapped_key: null });
    expect(await ingest.vault.keysLeft(admin.workspaceId, accountId)).toBe(0);
    expect(holdsOnDisk(wrapped!.toString('base64'))).toBe(false);
    const again = ingest.command(admin, 'account.disconnect', { accountId });
    await expect(again).rejects.toMatchObject({ code: 'account.not_found' });
  });

  it('loses a key that a killed process left behind', async () => {
    const { accountId } = await ingest.command(admin, 'account.connect', accountData());
    const keys = await ingest.vault.get(admin.workspaceId, accountId);
    await ingest.command(admin, 'account.disconnect', { accountId });
    // As if the process had died between the append and the destruction of the key.
    await ingest.vault.keep(admin.workspaceId, accountId, keys);
    await ingest.replicas[0]!.sweeper.sweep();
    expect(await ingest.vault.hasKeys(admin.workspaceId, accountId)).toBe(false);
  });

  it('never writes a credential to disk in plain text', () => {
    expect(holdsOnDisk(SECRET)).toBe(false);
  });

  it('is the same after a replay, including disconnected accounts', async () => {
    const { live, next } = await rebuilt(ingest.stores, OP_PROJECTIONS);
    expect(next).toEqual(live);
  });
});
