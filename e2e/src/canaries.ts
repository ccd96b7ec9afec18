import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Twenty letters that no text analysis splits, lowercases or stems. */
export const canary = (): string =>
  `q${Array.from(randomBytes(18), (byte) => String.fromCharCode(97 + (byte % 20))).join('')}x`;

/** Files and directories come and go below a running server; a missing file contains nothing. */
const ifThere = <T>(read: () => T, otherwise: T): T => {
  try {
    return read();
  } catch {
    return otherwise;
  }
};

const filesBelow = (dir: string): string[] =>
  ifThere(() => readdirSync(dir, { withFileTypes: true }), []).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });

/** The files below a directory that contain any of these words, as `<name of the word> in <file>`. */
export const wordsBelow = (dir: string, words: Readonly<Record<string, string>>): string[] =>
  filesBelow(dir).flatMap((file) => {
    const bytes = ifThere(() => readFileSync(file), Buffer.alloc(0));
    return Object.entries(words)
      .filter(([, word]) => bytes.includes(word))
      .map(([name]) => `${name} in ${file.slice(dir.length)}`);
  });
