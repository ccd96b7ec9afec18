import { describe, expect, it } from '@jest/globals';
import { verdictOf } from './verdict.mjs';

const check = (id: string, status: string) => ({ id, status, errorMessage: `about ${id}` });

describe('the verdict on a scenario', () => {
  it('has no problems if every check passes or is informational', () => {
    const verdict = verdictOf([check('a', 'SUCCESS'), check('b', 'INFO'), check('c', 'SKIPPED')]);
    expect(verdict).toEqual({ passed: 1, failed: 0, problems: [] });
  });

  it('names each unexpected failure and warning', () => {
    const checks = [check('a', 'SUCCESS'), check('b', 'FAILURE'), check('c', 'WARNING'), check('d', 'FAILURE')];
    const { failed, problems } = verdictOf(checks, ['d']);
    expect(failed).toBe(3);
    expect(problems).toEqual(['b: FAILURE: about b', 'c: WARNING: about c']);
  });

  it('reports an expected failure that passes, and a scenario without checks', () => {
    expect(verdictOf([check('a', 'SUCCESS')], ['a']).problems).toHaveLength(1);
    expect(verdictOf([]).problems).toEqual(['no check passed']);
  });
});
