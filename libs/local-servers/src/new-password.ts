import { randomBytes } from 'node:crypto';

const PASSWORD_BYTES = 32;

/** The password of a server for one start: random, and of letters that a URL carries as they are. */
export const newPassword = (): string => randomBytes(PASSWORD_BYTES).toString('base64url');
