import { describe, expect, it } from '@jest/globals';
import { findingsIn } from './check-words.mjs';

const phrases = (text: string, path = 'libs/x/src/x.ts') => findingsIn(path, text).map(({ phrase }) => phrase);

describe('the word check', () => {
  it.each([
    ['Postgres is away', 'away'],
    ['const isAway = true;', 'Away'],
    ['const AWAY_MS = 1;', 'AWAY'],
    ['throw new ServerAway();', 'Away'],
    ['builds the index anew', 'anew'],
    ['the client is told why', 'told'],
    ['Said by older ops', 'Said'],
    ['whoever waits', 'whoever'],
    ['a folder that is no uuid', 'is no'],
    ['the token has not the scope', 'has not'],
    ['the archive has it, the stream has not.', 'has not'],
    ['projection x does not get on: y', 'get on'],
    ['kept for ever', 'for ever'],
    ['/** So that it works. */', 'So that'],
    ['hearErrors(client)', 'hearErrors'],
  ])('reports %j', (text, phrase) => {
    expect(phrases(text)).toEqual([phrase]);
  });

  it.each([
    'takes the rows away',
    'Takes away what it finds',
    'the client goes away',
    "name: 'cairn_mcp_rate_counter_away_total'",
    'there is no folder',
    'it is no longer there',
    'the caller has not seen it',
    'it works, so that others can',
    'a folder called Saidar',
  ])('accepts %j', (text) => {
    expect(phrases(text)).toEqual([]);
  });

  it('finds a phrase that a comment breaks over two lines, and reports the line it begins on', () => {
    expect(findingsIn('x.ts', '\n// kept for\n// ever\n')).toEqual([
      { line: 2, phrase: 'for ever', instead: 'forever' },
    ]);
    expect(phrases('/**\n * It does not get\n * on.\n */')).toEqual(['get on']);
  });

  it.each(['X-13', 'RELIABILITY', 'API.md', 'STYLE.md', 'TOOLCHAIN', 'invariant I8'])(
    'reports the outside reference %s, also in a decision record',
    (reference) => {
      expect(phrases(`as ${reference} asks`)).toEqual([reference]);
      expect(phrases(`as ${reference} asks`, 'docs/adr/0001-x.md')).toEqual([reference]);
    },
  );

  it('accepts a requirement id in the title of a test and in the manifest only', () => {
    // Put together here, so that this test does not count as one that cites it.
    const id = ['G', 12].join('-');
    expect(phrases(`it('[${id}] finds it')`, 'apps/x/src/x.spec.ts')).toEqual([]);
    expect(phrases(id, 'e2e/src/requirements.json')).toEqual([]);
    expect(phrases(`// as ${id} asks`, 'apps/x/src/x.spec.ts')).toEqual([id]);
    expect(phrases(`// as [${id}] asks`, 'apps/x/src/x.ts')).toEqual([id]);
  });

  it('leaves the words of decision records as they are', () => {
    expect(phrases('Postgres is away', 'docs/adr/0001-x.md')).toEqual([]);
  });
});
