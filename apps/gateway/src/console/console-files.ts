import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The build output of the console, relative to this file, in `dist` as in `src`. */
export const CONSOLE_DIR = fileURLToPath(new URL('../../../console/dist/', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface ConsoleFile {
  readonly type: string;
  readonly body: Buffer;
  /** True if its name changes with its content, so a browser may cache it forever. */
  readonly isHashed: boolean;
}

export interface ConsoleFiles {
  /** Undefined when the console has not been built. */
  readonly index: ConsoleFile | undefined;
  /** Keyed by path, such as /assets/index-abc.js. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
}

const read = (file: string, isHashed: boolean): ConsoleFile => ({
  type: TYPES[extname(file)] ?? 'application/octet-stream',
  body: readFileSync(file),
  isHashed,
});

/**
 * Every file of the console, read once at the start. A request path is looked up in a table, so it cannot name a file
 * outside, and a build next to a running gateway takes nothing away from it.
 */
export const readConsoleFiles = (dir: string | undefined): ConsoleFiles => {
  const assets = new Map<string, ConsoleFile>();
  if (dir === undefined || !existsSync(join(dir, 'index.html'))) return { index: undefined, assets };
  for (const name of readdirSync(join(dir, 'assets'))) {
    assets.set(`/assets/${name}`, read(join(dir, 'assets', name), true));
  }
  return { index: read(join(dir, 'index.html'), false), assets };
};
