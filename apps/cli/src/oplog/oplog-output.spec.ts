import { describe, expect, it } from '@jest/globals';
import { verifyLines } from './oplog-output.js';

const report = { ops: 79, workspaces: 1, head: 79, archived: 1, erased: 0, counts: [], findings: [] };

describe('the verification report', () => {
  it('uses the singular and the plural correctly', () => {
    expect(verifyLines(report)).toEqual(expect.arrayContaining(['79 ops of 1 workspace, head at 79', 'archive: 1 op']));
    const found = { ...report, workspaces: 2, findings: [{ position: 3, problem: 'gap' }] };
    expect(verifyLines(found)).toEqual(
      expect.arrayContaining(['79 ops of 2 workspaces, head at 79', '1 difference found']),
    );
  });
});
