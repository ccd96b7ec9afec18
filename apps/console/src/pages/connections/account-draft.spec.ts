import { describe, expect, it } from '@jest/globals';
import type { Connector } from '../../api/answers.js';
import { draftFor, newAccountOf } from './account-draft.js';
import { importResult, purgeResult, retentionsWithin, syncResult, withSynced } from './connector-words.js';

const URL_CONNECTOR: Connector = {
  id: 'url',
  name: 'Web pages',
  capabilities: ['sync', 'hydrate:text'],
  multiAccount: true,
  retention: 'full',
  settings: [{ name: 'urls', about: 'Public https pages.', isList: true }],
};

describe('the form for an account', () => {
  it("sends a list setting as one entry per line, with the connector's defaults", () => {
    const draft = draftFor(URL_CONNECTOR, 'f');
    const settings = { urls: ' https://a.example \n\nhttps://b.example', unknown: 'x' };
    expect(newAccountOf(URL_CONNECTOR, { ...draft, confirm: true, settings })).toEqual({
      connectorId: 'url',
      label: 'Web pages',
      folderId: 'f',
      retention: 'full',
      hydrate: true,
      confirm: 'always',
      settings: { urls: ['https://a.example', 'https://b.example'] },
    });
  });

  it('sends a single setting as text', () => {
    const folder: Connector = { ...URL_CONNECTOR, settings: [{ name: 'path', about: '', isList: false }] };
    expect(newAccountOf(folder, { ...draftFor(folder, 'f'), settings: { path: ' /notes ' } }).settings).toEqual({
      path: '/notes',
    });
  });
});

describe('the wording for an account', () => {
  it('offers no more retention than the connector does', () => {
    expect(retentionsWithin('full')).toEqual(['full', 'hollow', 'metadata', 'dark']);
    expect(retentionsWithin('metadata')).toEqual(['metadata', 'dark']);
  });

  it('describes the result', () => {
    const position = 1;
    const synced = { found: 3, stored: 2, unchanged: 1, failed: 0, failures: [], left: 0 };
    expect(syncResult(synced)).toBe('3 documents found: 2 stored, 1 unchanged.');
    const begun = { ...synced, found: 7, left: 4 };
    expect(syncResult(begun)).toBe('7 documents found: 2 stored, 1 unchanged. Going on with the other 4 …');
    expect(syncResult(withSynced(begun, { ...synced, found: 5, stored: 5, unchanged: 0 }))).toBe(
      '8 documents found: 7 stored, 1 unchanged.',
    );
    const failures = [{ ref: 'a.pdf', code: 'file.unreadable', message: 'has no text' }];
    expect(syncResult({ ...synced, stored: 1, failed: 1, failures })).toBe(
      '3 documents found: 1 stored, 1 unchanged, 1 failed (a.pdf: has no text).',
    );
    expect(importResult({ rows: 1, duplicates: 0, items: 1, position })).toBe(
      '1 row stored in 1 item, 0 duplicates left out.',
    );
    expect(purgeResult({ rows: 1_200, rollups: 1, position })).toBe('1,200 rows purged, daily totals of 1 month kept.');
  });
});
