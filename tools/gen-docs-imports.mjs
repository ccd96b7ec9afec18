// The import table as docs/ARCHITECTURE.md shows it, between two markers.
import { projectsByLayer } from './check-imports.mjs';
import { table } from './gen-docs-markdown.mjs';
import { APPS, EVERY_APP, LAYERS } from './import-table.mjs';

const MARKED = /(<!-- import table: [^>]*-->\n)[^]*?(\n<!-- end of the import table -->)/;

/** @param {import('./import-table.mjs').App} app */
const usesOf = ({ mayUse, words }) => {
  const names = mayUse
    .filter((name) => !EVERY_APP.includes(name))
    .map((name) => name.replace(/^layer:(.*)$/, 'every $1 project'));
  return [names.join(', '), words].filter((part) => part).join('; ');
};

const importTables = () => {
  const byLayer = projectsByLayer();
  const layers = Object.entries(LAYERS).map(([layer, { mayUse, packages }]) => [
    layer,
    (byLayer.get(layer) ?? []).join(', '),
    mayUse.join(', '),
    packages.words,
  ]);
  const apps = Object.entries(APPS).map(([app, rule]) => [app, usesOf(rule)]);
  return `
${table(['layer', 'projects', 'may use', 'external packages'], layers)}

Apps other than the console may use ${EVERY_APP.join(', ')}, and:

${table(['app', 'may use'], apps)}
`;
};

/** @param {string} page */
export const withImportTables = (page) => {
  if (!MARKED.test(page)) throw new Error('docs/ARCHITECTURE.md has lost the markers of the import table');
  return page.replace(MARKED, (_all, start, end) => `${start}${importTables()}${end}`);
};
