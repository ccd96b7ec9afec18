import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

function* documents(dir: string): Generator<string> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory() && !/^(\.|node_modules$|dist$)/.test(entry.name)) yield* documents(path);
    else if (entry.name.endsWith('.md')) yield path;
  }
}

/** The anchor that GitHub derives from a heading: lower case, without punctuation, hyphens for spaces. */
const anchorsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

const isDead = (file: string, link: string): boolean => {
  const [path, anchor] = link.split('#') as [string, string | undefined];
  const target = path === '' ? file : join(dirname(file), path);
  return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
};

const deadLinks = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:)([^)\s]+)\)/g)]
    .map((match) => match[1]!)
    .filter((link) => isDead(file, link));

describe('a document', () => {
  it.each([...documents(ROOT)].map((file) => relative(ROOT, file)))(
    '%s links to files and headings that exist',
    (file) => {
      expect(deadLinks(join(ROOT, file))).toEqual([]);
    },
  );
});
