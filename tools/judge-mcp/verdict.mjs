// The result of one scenario's checks, without the failures that are known and allowed.

/**
 * @typedef {{ id: string, status: string, errorMessage?: string }} Check
 * @param {readonly Check[]} checks as the suite writes them
 * @param {readonly string[]} expected ids of the checks that are known to fail here
 * @returns passed and failed checks as numbers, and one line for each problem
 */
export const verdictOf = (checks, expected = []) => {
  const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
  const failedIds = new Set(bad.map(({ id }) => id));
  const unexpected = bad.filter(({ id }) => !expected.includes(id));
  // A known failure that passes must be reported; otherwise the list would hide its next failure.
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
