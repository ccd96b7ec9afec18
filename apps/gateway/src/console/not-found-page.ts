import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConsoleFiles } from './console-files.js';
import { isReading, sendFile } from './console.middleware.js';

/** Programs that say nothing of it, or take anything, want an error that they can read. */
const wantsPage = (req: IncomingMessage): boolean => isReading(req) && /\btext\/html\b/i.test(req.headers.accept ?? '');

/** Answers a browser at an address where nothing is with the console, which says so in words; true when it did. */
export const notFoundPage =
  ({ index }: ConsoleFiles) =>
  (req: IncomingMessage, res: ServerResponse): boolean => {
    if (!index || !wantsPage(req) || res.headersSent) return false;
    sendFile(req, res, 404, index);
    return true;
  };
