import { describe, expect, it } from '@jest/globals';
import { accountRefused } from './account-refused.js';
import { RequestRefused } from './rest-client.js';

const ID = '01a1e984-5281-743e-b9dd-39822e3dd9af';
const LISTED = 'GET /api/v1/accounts lists the ids of the accounts';

describe('a refused request about an account', () => {
  it.each([
    ['an unknown id', ID, 'account.not_found', 'there is no such account'],
    ['an id that is not a UUID', 'Runs', 'input.invalid', 'id must be a UUID'],
  ])('reports where the accounts are listed for %s', (_, id, code, message) => {
    expect(accountRefused(id, new RequestRefused(code, message))).toBe(`${id}: ${message}; ${LISTED}`);
  });

  it('reports any other refusal as it is', () => {
    const refused = new RequestRefused('input.invalid', 'settings.path must be below an allowed directory');
    expect(accountRefused(ID, refused)).toBe(`${ID}: settings.path must be below an allowed directory`);
  });
});
