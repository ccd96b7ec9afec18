import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PRODUCT =
  /^(?:apps|libs)\/(?!access\/|console\/|testing\/)[a-z-]+\/src\/.+(?<!\.(?:spec|contract|fake|harness|builder))\.ts$/;
const THINGS =
  'item|chunk|folder|token|op|receipt|confirmation|correction|link|account|entity|edge|merge|memory|resource';

interface Statement {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Files that use the same words for a different decision. */
  readonly except?: readonly string[];
}

/** Patterns that match a copy of a part of the access rule. */
const STATEMENTS: Readonly<Record<string, Statement>> = {
  'the tier': {
    pattern: /\btier\b\)?\s*(?:<>|[!=]==?|=)\s*'sensitive'/,
    instead: 'isSensitive, seesTier, folderIsVisible or itemIsVisible',
    // Which texts the keyword index holds, regardless of the reader.
    except: [
      'libs/projections/src/lexical/lexical-changes.ts',
      'libs/projections/src/lexical/opensearch-home.ts',
      'libs/projections/src/lexical/opensearch-target.ts',
      'libs/projections/src/lexical/sensitive-documents.ts',
    ],
  },
  'the folder list': {
    pattern: /\bfolder_id\s*=\s*any\b|\.id\s*=\s*any\s*\(\$?\{?[a-z_.]*folders|folderIds\.includes\(/i,
    instead: 'listsFolder, folderIsListed or isInFolders',
  },
  'the unscoped token': {
    pattern: /\bisUnscoped\s*(?:\|\||&&|\?(?!\?|:))/,
    instead: 'readerOf or reachOf',
    // Which scopes a token may be issued with, and whether it administers the workspace.
    except: ['libs/contracts/src/principal.ts', 'libs/domain/src/token.decider.ts'],
  },
  'the knowledge base': {
    pattern: /!\s*(?:[a-z]+\.)?kbOnly\b|\bnot\s+\S*kb_?only\b/i,
    instead: 'seesInKb or itemIsVisible',
  },
  'what is current': {
    pattern: /\bexpires_at\s*>\s*now\(\)|\bnot\s+\S+\.superseded\b/i,
    instead: 'isCurrent or visibleDocuments',
  },
  'not found': {
    pattern: new RegExp(`\\bfail\\(\\s*'(?:${THINGS})\\.not_found'|['"\`]there is no such (?:${THINGS})\\b`),
    instead: 'notFound',
  },
};

const findings = (file: string, text: string): string[] =>
  Object.entries(STATEMENTS)
    .filter(([, { pattern, except = [] }]) => !except.includes(file) && pattern.test(text))
    .map(([part, { instead }]) => `${file} states ${part} again: use ${instead} of @cairn/access`);

const productFiles = (): string[] =>
  ['apps', 'libs'].flatMap((group) =>
    readdirSync(`${ROOT}${group}`, { recursive: true, encoding: 'utf8' })
      .map((path) => `${group}/${path}`)
      .filter((path) => !path.includes('node_modules') && PRODUCT.test(path)),
  );

describe('the access rule', () => {
  it('is stated in libs/access and nowhere else', () => {
    const files = productFiles();
    expect(files.length).toBeGreaterThan(200);
    expect(files.flatMap((file) => findings(file, readFileSync(`${ROOT}${file}`, 'utf8')))).toEqual([]);
  });

  it.each([
    [`where (p_sensitive or f.tier <> 'sensitive')`],
    [`if (folder.tier === 'sensitive') return;`],
    [`and c.folder_id = any (v_folders)`],
    ['f.id = any (${folders})'],
    [`principal.folderIds.includes(id)`],
    [`principal.isUnscoped || ids.includes(id)`],
    [`item.inKb || !principal.kbOnly`],
    [`(expires_at is null or expires_at > now())`],
    [`and not c.superseded`],
    [`throw fail('item.not_found', message)`],
    [`const message = 'there is no such folder';`],
  ])('is recognised in %s', (text) => {
    expect(findings('apps/search/src/some.ts', text)).toHaveLength(1);
  });

  it.each([
    [`readonly isUnscoped?: boolean`],
    [`isUnscoped: isUnscoped ?? true`],
    [`if (error.code === 'item.not_found') return;`],
    [`update library.items set folder_id = $2 where id = any ($1::uuid[])`],
    [`const data = { tier: 'sensitive', folderIds: [] }`],
  ])('is not suspected in %s', (text) => {
    expect(findings('apps/search/src/some.ts', text)).toEqual([]);
  });
});
