import { homedir } from 'node:os';
import { defaultCacheDir } from '@cairn/artifacts';

/** Where tests find the model and the servers: the same cache that the product uses. */
export const testCacheDir = (): string => process.env['CAIRN_CACHE'] ?? defaultCacheDir(homedir());
