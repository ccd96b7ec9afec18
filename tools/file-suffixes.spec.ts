import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROLES, suffixProblem, TIERS } from './file-suffixes.mjs';
import { ROOT } from './workspace.mjs';

describe('the suffix of a source file', () => {
  it.each([
    'library-rows.ts',
    'items.controller.ts',
    'item.decider.spec.ts',
    'x.e2e.spec.ts',
    'visible.sql.int.spec.ts',
    'search.page.tsx',
    'vite.config.ts',
    'globals.d.ts',
  ])('is accepted in %s', (name) => expect(suffixProblem(`libs/x/src/${name}`)).toBeUndefined());

  it.each([
    ['library.rows.ts', 'write -rows'],
    ['link.command.ts', 'write .commands'],
    ['x.property.spec.ts', '.property is not'],
    ['x.tool.fake.ts', 'more than one'],
    ['x.toString.ts', '.toString is not'],
  ])('is rejected in %s', (name, reason) => expect(suffixProblem(name)).toContain(reason));

  it('is explained in CONTRIBUTING, for every suffix', () => {
    const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
    const roles = Object.keys(ROLES).filter((role) => !text.includes(`\`.${role}\``) && !text.includes(`x.${role}.ts`));
    expect(roles).toEqual([]);
    expect(TIERS.filter((tier) => !text.includes(`\`x.${tier}.spec.ts\``))).toEqual([]);
  });
});
