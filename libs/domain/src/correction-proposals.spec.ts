import { describe, expect, it } from '@jest/globals';
import { proposeByRules } from './correction-rules.js';

const PORT = 'The port is 8080.';
const CAPITAL = 'The capital is Sydney.';
const DEADLINE = 'The deadline is Friday. Ask Maria about it.';
const NOTES = 'Builds run on Jenkins. Backups are kept for 30 days. The fax number is 555-0100.';
const LIST = '- Jenkins builds\n- Backups run nightly';

describe('a plausible proposal', () => {
  it.each([
    // X, not Y
    [PORT, '8443, not 8080', 'The port is 8443.'],
    [PORT, "It's 8443 now, not 8080.", 'The port is 8443.'],
    [PORT, 'The port is 8443, not 8080, since the move', 'The port is 8443.'],
    [CAPITAL, 'Canberra, not Sydney', 'The capital is Canberra.'],
    [CAPITAL, 'It should be Canberra, not Sydney', 'The capital is Canberra.'],
    [CAPITAL, 'Actually, the capital is Canberra, not Sydney!', 'The capital is Canberra.'],
    [CAPITAL, 'The capital is Canberra instead of Sydney', 'The capital is Canberra.'],
    ['The meeting is on Monday.', 'The meeting is on Tuesday, not Monday', 'The meeting is on Tuesday.'],
    ['We meet at one.', 'We meet at noon, not at one', 'We meet at noon.'],
    ['We install with npm.', 'use pnpm rather than npm', 'We install with pnpm.'],
    ['Ask Ada about it.', 'Grace Brewster Hopper, not Ada', 'Ask Grace Brewster Hopper about it.'],
    // the same statement with another value
    [PORT, 'The port is 8443.', 'The port is 8443.'],
    [CAPITAL, 'Note that the capital is Canberra', 'The capital is Canberra.'],
    [NOTES, 'Backups are kept for 90 days', NOTES.replace('30', '90')],
    // Y is wrong, it is X
    [CAPITAL, 'Sydney is wrong, it is Canberra', 'The capital is Canberra.'],
    [CAPITAL, 'Sydney is incorrect, it should be Canberra.', 'The capital is Canberra.'],
    [PORT, '8080 is outdated; it is now 8443', 'The port is 8443.'],
    [PORT, '8080 is wrong. The correct port is 8443.', 'The port is 8443.'],
    [PORT, 'The port is wrong, it should be 8443', 'The port is 8443.'],
    [DEADLINE, 'The deadline is not correct: it is Monday', 'The deadline is Monday. Ask Maria about it.'],
    [CAPITAL, 'It says Sydney but it should be Canberra', 'The capital is Canberra.'],
    [CAPITAL, 'Sydney should be Canberra', 'The capital is Canberra.'],
    ['We recieve mail.', 'Typo: recieve should be receive', 'We receive mail.'],
    ['We recieve mail.', 'fix the typo: recieve -> receive', 'We receive mail.'],
    // update A to B
    [PORT, 'update 8080 to 8443', 'The port is 8443.'],
    [PORT, 'Please update the port to 8443', 'The port is 8443.'],
    [DEADLINE, 'update the deadline to Monday', 'The deadline is Monday. Ask Maria about it.'],
    [DEADLINE, 'update deadline to Monday', 'The deadline is Monday. Ask Maria about it.'],
    [DEADLINE, 'The deadline has been moved to Monday', 'The deadline is Monday. Ask Maria about it.'],
    [DEADLINE, 'change Maria to Jonas', 'The deadline is Friday. Ask Jonas about it.'],
    ['Owner: Grace\nTeam: search', 'set Owner to Ada', 'Owner: Ada\nTeam: search'],
    ['We run version 2.3 of the server.', 'update the version to 2.4', 'We run version 2.4 of the server.'],
    ['Call the support desk at noon.', 'change the support desk to the help line', 'Call the help line at noon.'],
    ['Falcon is late.', 'update Falcon to Condor', 'Condor is late.'],
    // add: …
    [PORT, 'add: TLS is required.', 'The port is 8080. TLS is required.'],
    [PORT, 'Add that TLS is required', 'The port is 8080. TLS is required.'],
    [PORT, 'Please add the sentence "TLS is required."', 'The port is 8080. TLS is required.'],
    ['The port is 8080\n', 'also add: it speaks TLS', 'The port is 8080. It speaks TLS.\n'],
    ['port: 8080\nhost: a', 'add: user: root', 'port: 8080\nhost: a\nuser: root'],
    [LIST, 'append: Deploys are by hand', `${LIST}\n- Deploys are by hand`],
    // remove the sentence about …
    [NOTES, 'remove the sentence about Jenkins', 'Backups are kept for 30 days. The fax number is 555-0100.'],
    [NOTES, 'Please delete the sentence about backups.', 'Builds run on Jenkins. The fax number is 555-0100.'],
    [NOTES, 'drop the part that mentions the fax number', 'Builds run on Jenkins. Backups are kept for 30 days.'],
    [
      NOTES,
      'The sentence about the fax number should be removed',
      'Builds run on Jenkins. Backups are kept for 30 days.',
    ],
    ['One. Two is gone.\nThree.', 'remove the sentence about two', 'One.\nThree.'],
    [LIST, 'remove the line about Jenkins', '- Backups run nightly'],
    [NOTES, 'remove "on Jenkins"', 'Builds run. Backups are kept for 30 days. The fax number is 555-0100.'],
    ['Only this.\n', 'remove the sentence about this only', ''],
  ])('on %j is made: %s', (text, proposal, proposed) => {
    expect(proposeByRules(text, proposal)).toBe(proposed);
  });

  it.each([
    // The replacement is missing.
    [PORT, '8080 is wrong'],
    [PORT, 'update the port'],
    ['Sydney is big.', 'Sydney is wrong'],
    [PORT, 'The port is unclear'],
    [PORT, 'this is outdated'],
    [PORT, 'fix the number'],
    [PORT, 'make it shorter'],
    [NOTES, 'the second sentence is wrong'],
    [PORT, 'add more detail'],
    [PORT, 'add a note about TLS'],
    [PORT, 'remove it'],
    // Several places fit.
    ['Cats sleep. Cats purr.', 'remove the sentence about cats'],
    [NOTES, 'remove the sentence about the printer'],
    [NOTES, 'remove the sentence about the'],
    ['a b a', 'remove "a"'],
    // The instruction can mean the words themselves, or their value.
    ['Tea is served at four.', 'update tea to coffee'],
    ['The support desk is open.', 'change the support desk to the help line'],
    // A clause does not fit in place of a name.
    ['Ask Maria about payroll.', 'Jonas runs payroll, not Maria'],
    // The words do not occur in the text.
    [PORT, '443, not 80'],
    [CAPITAL, 'Melbourne is wrong, it is Canberra'],
    [PORT, 'update the host to localhost'],
  ])('on %j is refused when the instruction is ambiguous: %s', (text, proposal) => {
    expect(proposeByRules(text, proposal)).toBeUndefined();
  });
});
