// The reference page of the limits, with a section for each file of libs/contracts/src/limits.
import { code, NOTE, table } from './gen-docs-markdown.mjs';

/**
 * One file of limits: its name without the ending, its source, and what it exports.
 * @typedef {{ name: string, source: string, values: Record<string, unknown> }} LimitFile
 */

/** @param {LimitFile} file */
const titleOf = ({ name }) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`;

/** The comment that a file opens with. @param {LimitFile} file */
const aboutOf = ({ name, source }) => {
  const [opening = ''] = /^(\/\/ .*\n)+/.exec(source) ?? [];
  if (!opening) throw new Error(`limits/${name}.ts must open with a comment that says what it limits: // …`);
  return opening.replaceAll(/^\/\/ /gm, '').trim();
};

/** @param {LimitFile} file */
const sectionOf = (file) => {
  const rows = Object.entries(file.values).flatMap(([name, value]) =>
    typeof value === 'number' ? [[code(name), value.toLocaleString('en-US')]] : [],
  );
  return `## ${titleOf(file)}\n\n${aboutOf(file)}\n\n${table(['name', 'value'], rows)}`;
};

/**
 * What only one of the two has would be missing on the page, or for those who use the limits.
 * @param {LimitFile[]} files @param {Record<string, unknown>} exported by limits.ts
 */
const assertSame = (files, exported) => {
  const names = new Set(files.flatMap(({ values }) => Object.keys(values)));
  const unlike = [...names].filter((name) => !(name in exported));
  if (unlike.length > 0) throw new Error(`limits.ts must also export the file of ${unlike.join(', ')}`);
  const homeless = Object.keys(exported).filter((name) => !names.has(name));
  if (homeless.length > 0) throw new Error(`${homeless.join(', ')} must be in a file of the folder limits`);
};

/** @param {LimitFile[]} files @param {Record<string, unknown>} exported by limits.ts */
export const limitsPage = (files, exported) => {
  assertSame(files, exported);
  return `# Limits

${NOTE} Out of bounds is an error that names the field and the limit, and nothing is written.

${files.map(sectionOf).join('\n\n')}
`;
};
