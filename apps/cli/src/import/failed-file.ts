import { RequestRefused } from '../rest/rest-client.js';

/** A file that was not imported, or a folder that could not be listed, with the reason. */
export interface FailedFile {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

export const failureOf = (path: string, thrown: unknown): FailedFile => {
  if (thrown instanceof RequestRefused) return { path, code: thrown.code, message: thrown.message };
  const { code, message } = thrown as NodeJS.ErrnoException;
  return { path, code: code ?? 'unexpected', message };
};
