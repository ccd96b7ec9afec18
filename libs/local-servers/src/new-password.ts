import { randomBytes } from 'node:crypto';

const PASSWORD_BYTES = 32;

/** The random password of a server for one start, of characters that need no escaping in a URL. */
export const newPassword = (): string => randomBytes(PASSWORD_BYTES).toString('base64url');
