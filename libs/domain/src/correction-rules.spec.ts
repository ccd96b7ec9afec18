import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { proposeByRules } from './correction-rules.js';

describe('proposeByRules', () => {
  it('[N-47] turns the sentence of the published example into its proposal', () => {
    const instruction = 'The endpoint changed from /v1/search to /v2/query in March 2025.';
    expect(proposeByRules('The API endpoint is /v1/search.', instruction)).toBe('The API endpoint is /v2/query.');
  });

  it.each([
    [
      'replace',
      'We use Jenkins for builds.',
      'Replace Jenkins with GitHub Actions.',
      'We use GitHub Actions for builds.',
    ],
    [
      'quotes',
      'The motto is "move fast".',
      'replace "move fast" with "move with care" please',
      'The motto is "move with care".',
    ],
    ['rename', 'Project Falcon ships in May.', 'rename Falcon to Condor', 'Project Condor ships in May.'],
    [
      'a reported renaming',
      'Project Falcon ships in May.',
      'Project Falcon was renamed to Project Condor last week',
      'Project Condor ships in May.',
    ],
    ['a new name', 'Twitter shows posts.', 'Twitter is now called X', 'X shows posts.'],
    ['a number', 'Backups are kept for 30 days.', 'changed from 30 to 90 days', 'Backups are kept for 90 days.'],
    [
      'a number without its unit',
      'The timeout is 30 seconds.',
      'The timeout changed from 30 seconds to 45',
      'The timeout is 45 seconds.',
    ],
    [
      'a date',
      'The review is on 12 May 2026.',
      'It moved from 12 May 2026 to 19 May 2026',
      'The review is on 19 May 2026.',
    ],
    [
      'a place, with a remark',
      'The office is in Berlin.',
      'We moved from Berlin to New York in May',
      'The office is in New York.',
    ],
    ['a path', 'Logs lie in /var/log/app.', 'change /var/log/app to /srv/logs/app', 'Logs lie in /srv/logs/app.'],
    ['is now, for a subject', 'The port is 8080.', 'The port is now 8443', 'The port is 8443.'],
    [
      'is now, for a longer subject',
      'The API endpoint of search is /v1/search.',
      'The endpoint is now /v2/query',
      'The API endpoint of search is /v2/query.',
    ],
    ['is now, for the words themselves', 'Ask Maria about payroll.', 'Maria is now Jonas', 'Ask Jonas about payroll.'],
    [
      'a version inside a value',
      'The server runs on Node 18 LTS.',
      'Node 18 is now Node 20',
      'The server runs on Node 20 LTS.',
    ],
    ['a number with commas', 'The limit is 1,000 rows.', 'The limit is now 2,500', 'The limit is 2,500 rows.'],
    [
      'a value of several words',
      'The deadline is next Friday.',
      'The deadline is now Monday',
      'The deadline is Monday.',
    ],
    [
      'a value with a capital',
      'The capital is New York, I think.',
      'The capital is now Albany',
      'The capital is Albany, I think.',
    ],
    [
      'one of two clauses',
      'The capital is Sydney and the currency is the dollar.',
      'The capital is now Canberra',
      'The capital is Canberra and the currency is the dollar.',
    ],
    ['a setting', 'port: 8080\nhost: localhost', 'the port is now 8443', 'port: 8443\nhost: localhost'],
    ['an instruction over lines', 'We use Jenkins.', 'Replace Jenkins\n  with Drone.', 'We use Drone.'],
    ['changed to', 'The deadline is Friday.', 'The deadline changed to Monday', 'The deadline is Monday.'],
    [
      'instead of',
      'Call the support desk at noon.',
      'It should be the help line instead of the support desk',
      'Call the help line at noon.',
    ],
    ['not but', 'The capital is Sydney.', 'not Sydney but Canberra', 'The capital is Canberra.'],
    ['this, not that', 'The port is 8080.', 'The port is 8443, not 8080', 'The port is 8443.'],
    ['it is this, not that', 'Lunch is at one.', "It's noon, not one", 'Lunch is at noon.'],
    ['every occurrence', 'Ada wrote it. Ada tested it.', 'replace Ada with Grace', 'Grace wrote it. Grace tested it.'],
    ['the case of a sentence start', 'Tea is served at four.', 'replace tea with coffee', 'Coffee is served at four.'],
    [
      'a sentence that is no longer true',
      'The shop is open on Sunday.',
      'The shop is no longer open on Sunday.',
      'The shop is no longer open on Sunday.',
    ],
    ['a sentence denied', 'We support SSO.', 'We do not support SSO', 'We do not support SSO.'],
    [
      'a sentence affirmed',
      'First. The API does not support paging. Last.',
      'The API supports paging.',
      'First. The API supports paging. Last.',
    ],
    ['a contraction', "You can't pay by card.", 'You can pay by card', 'You can pay by card.'],
  ])('[N-38] applies: %s', (_, text, instruction, proposed) => {
    expect(proposeByRules(text, instruction)).toBe(proposed);
  });

  it.each([
    ['words that do not occur', 'The sky is blue.', 'replace green with red'],
    ['a part of a word', 'The report is due.', 'replace port with harbour'],
    ['a part of a path', 'See /v1/search.', 'replace /v1 with /v2'],
    ['no edit at all', 'The sky is blue.', 'please improve this'],
    ['a statement that is already true', 'The port is 8443.', 'The port is now 8443'],
    ['an empty new part', 'The sky is blue.', 'replace blue with ""'],
  ])('returns nothing when no rule fits: %s', (_, text, instruction) => {
    expect(proposeByRules(text, instruction)).toBeUndefined();
  });

  it('treats special characters of patterns and replacements literally', () => {
    expect(proposeByRules('Costs $1 (net).', 'replace "$1 (net)" with "$& [gross]*"')).toBe('Costs $& [gross]*.');
  });

  it.each([
    ['a subject that repeats itself', 'a '.repeat(300), `${'a '.repeat(12)}is now b`],
    ['a long run of spaces', 'x', `replace ${' '.repeat(1_900)}x`],
    ['spaces before the end', 'x', `a was renamed ${' '.repeat(1_900)}\nq`],
    ['repeated words of a rule', 'x', 'is a, not '.repeat(190)],
    ['repeated statements of an error', 'x', 'a is wrong, it is '.repeat(110)],
    ['repeated arrows', 'a -> '.repeat(500), 'a -> '.repeat(390)],
    ['repeated updates', 'the a is '.repeat(300), 'update the a to '.repeat(120)],
    ['sentences without an end', '. '.repeat(1_400), `remove the sentence about ${'a '.repeat(900)}`],
    ['spaces in the text', `The port is ${' '.repeat(2_000)}x`, 'The port is now 1'],
  ])('is not slowed down by %s', (_, text, instruction) => {
    // The bound leaves room for a busy machine: a pattern that backtracks without bound takes far longer.
    const startedAt = performance.now();
    proposeByRules(text, instruction);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('ends quickly and never throws, for any input', () => {
    const words = fc.array(
      fc.constantFrom(
        'from',
        'to',
        'not',
        'but',
        'is now',
        'is wrong, it is',
        'update',
        'add:',
        'remove the sentence about',
        ', not',
        '->',
        'replace',
        'with',
        '/v1',
        '30',
        'a',
        '.',
        ',',
        '"',
        '(',
        '$',
      ),
      {
        maxLength: 200,
      },
    );
    fc.assert(
      fc.property(words, words, (text, instruction) => {
        const startedAt = performance.now();
        proposeByRules(text.join(' '), instruction.join(' '));
        return performance.now() - startedAt < 1_000;
      }),
      { numRuns: 200 },
    );
  });
});
