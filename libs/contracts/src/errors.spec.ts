import { expect, it } from '@jest/globals';
import { fail, logLevelOf, type ErrorCode } from './errors.js';

it.each<[ErrorCode, string]>([
  ['auth.invalid', 'info'],
  ['auth.flood', 'debug'],
  ['rate_limited', 'debug'],
  ['busy', 'warn'],
  ['internal.defect', 'error'],
])('%s is logged at %s', (code, level) => {
  expect(logLevelOf(fail(code, 'refused'))).toBe(level);
});
