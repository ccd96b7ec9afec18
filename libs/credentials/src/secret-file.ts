import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';

/** More than any key, certificate chain or credentials file needs. */
const FILE_BYTES_MAX = 262_144;

const reasonOf = (thrown: unknown): string => {
  const { code, message } = thrown as NodeJS.ErrnoException;
  return `${/^\w+: ([^,]+)/.exec(message)?.[1] ?? message}${code === undefined ? '' : ` (${code})`}`;
};

/** Why the file cannot be used; undefined if it can. */
const problemWith = (path: string): string | undefined => {
  try {
    const found = statSync(path);
    if (!found.isFile()) return `${path} is not a file`;
    if (found.size > FILE_BYTES_MAX) return `${path} has more than ${FILE_BYTES_MAX} bytes`;
    return readFileSync(path, 'utf8').trim() === '' ? `${path} is empty` : undefined;
  } catch (thrown) {
    return `${path} cannot be read: ${reasonOf(thrown)}`;
  }
};

/** A variable that names a file. A missing file is reported with every other bad variable, before anything is started. */
export const fileVariable = () =>
  z.string().superRefine((path, context) => {
    const problem = problemWith(path);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

/** The content of a file without the line break at its end, which editors and `echo` add. */
export const readSecret = (path: string): string => readFileSync(path, 'utf8').trimEnd();
