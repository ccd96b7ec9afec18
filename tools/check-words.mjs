// Checks the words of this repository (code, comments, strings, test names, documents): plain English, and no reference
// to a document outside of it. `node tools/check-words.mjs [path …]` reports file:line, the phrase and what to write
// instead. Without a path it checks the whole repository, as `npm run check` does.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { REFERENCES, REQUIREMENT_ID, WORDS } from './word-list.mjs';

const TEXT = /\.(?:tsx?|mjs|mts|js|md|sql|ya?ml|html|css|tpl|txt)$|Dockerfile$|\.env\.example$|requirements\.json$/;
const SKIPPED = ['node_modules', 'dist', 'datasets', 'fixtures', 'results', 'coverage'];
/** @param {string} name */
const isSkipped = (name) => name.startsWith('.') || SKIPPED.includes(name);
const MANIFEST = /(?:^|\/)e2e\/src\/requirements\.(?:json|ts)$/;
const WORD_LIST = /(?:^|\/)tools\/(?:word-list\.mjs|check-words\.spec\.ts)$/;
const TEST = /\.(?:spec|contract)\.tsx?$|(?:^|\/)e2e\/src\//;

/**
 * Decision records and migrations are history: their words stay, but they must not reference anything outside.
 * @param {string} path
 */
const isHistory = (path) => /(?:^|\/)(?:docs\/adr|migrations)\//.test(path);

/** @param {string} path */
const rulesFor = (path) => {
  if (WORD_LIST.test(path)) return [];
  return [...(isHistory(path) ? [] : WORDS), ...REFERENCES, ...(MANIFEST.test(path) ? [] : [REQUIREMENT_ID])];
};

/** @param {string} path @param {string} text @param {RegExpExecArray} match */
const isTitleOfTest = (path, text, match) =>
  TEST.test(path) && text[match.index - 1] === '[' && text[match.index + match[0].length] === ']';

/** The findings in one file. @param {string} path @param {string} text */
export const findingsIn = (path, text) =>
  rulesFor(path)
    .flatMap((rule) =>
      [...text.matchAll(rule.pattern)]
        .filter((match) => rule !== REQUIREMENT_ID || !isTitleOfTest(path, text, match))
        .map((match) => ({
          line: text.slice(0, match.index).split('\n').length,
          phrase: match[0].replace(/\s+(?:\*|\/\/|--|#|>)?\s*/g, ' ').trim(),
          instead: rule.instead,
        })),
    )
    .sort((a, b) => a.line - b.line);

/** @param {string} path @returns {Generator<string>} */
function* textsUnder(path) {
  if (statSync(path).isFile()) {
    yield path;
    return;
  }
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    if (entry.isDirectory() && !isSkipped(entry.name)) yield* textsUnder(inside);
    else if (entry.isFile() && TEXT.test(entry.name)) yield inside;
  }
}

/** @param {string} root @param {string[]} paths */
const check = (root, paths) =>
  (paths.length > 0 ? paths : ['.'])
    .flatMap((path) => [...textsUnder(join(root, path))])
    .flatMap((file) => {
      const path = relative(root, file);
      return findingsIn(path, readFileSync(file, 'utf8')).map(
        ({ line, phrase, instead }) => `${path}:${line}: "${phrase}": write ${instead}`,
      );
    });

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..');
  const found = check(
    root,
    process.argv.slice(2).map((path) => relative(root, path)),
  );
  for (const line of found) console.error(line);
  if (found.length > 0) process.exit(1);
  console.log('words: plain English, and every reference is inside the repository');
}
