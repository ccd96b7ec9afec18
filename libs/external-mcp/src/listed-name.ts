import { createHash } from 'node:crypto';
import { EXTERNAL_NAME_CHARS_MAX } from '@cairn/contracts';

/** No built-in tool has it in its name, so no external tool can take the name of one. */
export const NAME_SEPARATOR = '__';

const OTHER = /[^A-Za-z0-9_./-]/g;
const HASH_CHARS = 6;

/**
 * The name under which a tool of a server is offered. A name that is too long, or has characters that are not allowed,
 * is cut and ends with a part of the hash of its full name, so that two such tools stay distinct.
 */
export const listedName = (serverName: string, toolName: string): string => {
  const full = `${serverName}${NAME_SEPARATOR}${toolName}`;
  const plain = full.replace(OTHER, '_');
  if (plain === full && full.length <= EXTERNAL_NAME_CHARS_MAX) return full;
  const hash = createHash('sha256').update(full).digest('hex').slice(0, HASH_CHARS);
  return `${plain.slice(0, EXTERNAL_NAME_CHARS_MAX - HASH_CHARS - 1)}_${hash}`;
};
