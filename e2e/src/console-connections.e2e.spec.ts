import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { consoleSuite, goTo, signIn } from './console.js';
import { rest, underTest } from './under-test.js';

const suite = consoleSuite();

const RUNS = [
  'Activity ID,Activity Date,Activity Type,Elapsed Time,Distance',
  '9000000001,"Jan 2, 2026, 3:04:05 PM",Run,1800,5.0',
  '9000000002,"Jan 4, 2026, 3:04:05 PM",Run,2400,7.5',
  '9000000003,"Feb 6, 2026, 3:04:05 PM",Ride,3600,21.0',
].join('\n');

const accounts = () => suite.page.getByRole('list', { name: 'Accounts' });
const result = (label: string) => suite.page.getByRole('status', { name: `Result of ${label}` });

describe('Connections', () => {
  it('connects web pages with a form that the connector describes, changes the account and disconnects it', async () => {
    const { page, token } = suite;
    await signIn(page, token);
    await goTo(page, 'Connections');
    await page.getByText('Nothing is connected').waitFor();
    await page.getByRole('button', { name: 'Connect Web pages' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('Handbook');
    await dialog.getByLabel('urls').fill('https://example.com/a\nhttps://example.com/b');
    await dialog.getByLabel('Keeps').selectOption('hollow');
    await dialog.getByLabel('Ask me before each fetch').check({ force: true });
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await accounts().getByText('asks before each fetch').waitFor();
    const [account] = (await rest(token, 'GET', '/accounts')).body.items;
    expect(account).toMatchObject({
      connectorId: 'url',
      label: 'Handbook',
      retention: 'hollow',
      confirm: 'always',
      settings: { urls: ['https://example.com/a', 'https://example.com/b'] },
    });
    await page.getByRole('button', { name: 'Change Handbook' }).click();
    await dialog.getByLabel('Label').fill('Handbook 2');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await accounts().getByRole('heading', { name: 'Handbook 2' }).waitFor();
    await page.getByRole('button', { name: 'Disconnect Handbook 2' }).click();
    await dialog.getByText('What was stored from it stays').waitFor();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('Nothing is connected').waitFor();
  });

  it('connects a directory, stores its files and keeps them when it is disconnected', async () => {
    const { page, token } = suite;
    const path = mkdtempSync(join(underTest.connectorRoot, 'console-'));
    writeFileSync(join(path, 'harbour.md'), '# Harbour plan\n\nThe harbour opens in May.\n');
    await signIn(page, token);
    await goTo(page, 'Connections');
    await page.getByRole('button', { name: 'Connect Local folder' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('Plans');
    await dialog.getByLabel('Path').fill('/etc');
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await dialog.getByText('Must be a directory below one of CAIRN_CONNECTOR_ROOTS').waitFor();
    await dialog.getByLabel('Path').fill(path);
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('button', { name: 'Sync Plans' }).click();
    await result('Plans').getByText('1 document found: 1 stored').waitFor();
    writeFileSync(join(path, 'crane.md'), '# Crane\n\nA crane lifts the hulls.\n');
    await page.getByRole('button', { name: 'Sync Plans' }).click();
    await result('Plans').getByText('2 documents found: 1 stored, 1 unchanged').waitFor();
    await page.getByRole('button', { name: 'Disconnect Plans' }).click();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('Nothing is connected').waitFor();
    await goTo(page, 'Sources');
    await page.getByRole('link', { name: /harbour/i }).click();
    await page.getByRole('region', { name: 'Chunks' }).getByText('The harbour opens in May.').waitFor();
  });

  it('imports a file twice without duplicates, and purges it after stating what stays', async () => {
    const { page, token } = suite;
    await signIn(page, token);
    await goTo(page, 'Connections');
    await page.getByRole('button', { name: 'Connect Strava' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('My runs');
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await accounts().getByRole('heading', { name: 'My runs' }).waitFor();
    const file = { name: 'activities.csv', mimeType: 'text/csv', buffer: Buffer.from(RUNS) };
    await page.locator('input[type=file]').setInputFiles(file);
    await result('My runs').getByText('3 rows stored').waitFor();
    await page.locator('input[type=file]').setInputFiles(file);
    await result('My runs').getByText('3 duplicates left out').waitFor();
    await page.getByRole('button', { name: 'Purge My runs' }).click();
    await dialog.getByRole('status', { name: 'What stays' }).getByText('totals of each day').waitFor();
    await dialog.getByLabel('Keep daily totals').uncheck({ force: true });
    await dialog.getByRole('status', { name: 'What stays' }).getByText('the account alone').waitFor();
    await dialog.getByRole('button', { name: 'Purge' }).click();
    await dialog.waitFor({ state: 'detached' });
    await result('My runs').getByText('3 rows purged, daily totals of 0 months kept').waitFor();
  });

  it('shows the error of a setting at its field', async () => {
    const { page, token } = suite;
    await signIn(page, token);
    await goTo(page, 'Connections');
    await page.getByRole('button', { name: 'Connect Web pages' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('urls').fill('not an address');
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await dialog.getByRole('alert').or(dialog.locator('[aria-invalid=true]')).first().waitFor();
    expect((await rest(token, 'GET', '/accounts')).body.items).toEqual([]);
  });
});
