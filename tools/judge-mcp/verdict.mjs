// What the checks of one scenario come to, once the failures that are known and allowed are taken out.

/**
 * @typedef {{ id: string, status: string, errorMessage?: string }} Check
 * @param {readonly Check[]} checks as the suite writes them
 * @param {readonly string[]} expected ids of the checks that are known to fail here
 * @returns passed and failed checks as numbers, and one line for each thing that is not as it should be
 */
export const verdictOf = (checks, expected = []) => {
  const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
  const failedIds = new Set(bad.map(({ id }) => id));
  const unexpected = bad.filter(({ id }) => !expected.includes(id));
  // An expectation that no longer fails would hide the day on which it fails again.
  const stale = expected.filter((id) => !failedIds.has(id));
  return {
    passed,
    failed: bad.length,
    problems: [
      ...unexpected.map(({ id, status, errorMessage }) => `${id}: ${status}: ${errorMessage ?? 'no message'}`),
      ...stale.map((id) => `${id}: expected to fail, and did not: take it off the list`),
      ...(passed === 0 ? ['no check passed'] : []),
    ],
  };
};
