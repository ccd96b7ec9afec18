import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ConsoleFiles } from './console-files.js';
import { isReading, sendFile } from './console.middleware.js';

/** Programs that send no Accept header, or accept anything, get a JSON error. */
const wantsPage = (req: IncomingMessage): boolean => isReading(req) && /\btext\/html\b/i.test(req.headers.accept ?? '');

/** Answers a browser at an unknown address with the console, which explains it. Returns true if it did. */
export const notFoundPage =
  ({ index }: ConsoleFiles) =>
  (req: IncomingMessage, res: ServerResponse): boolean => {
    if (!index || !wantsPage(req) || res.headersSent) return false;
    sendFile(req, res, 404, index);
    return true;
  };
