import { homedir } from 'node:os';
import { defaultCacheDir } from '@cairn/artifacts';

/** The directory of the model and the servers for tests: the same cache that the product uses. */
export const testCacheDir = (): string => process.env['CAIRN_CACHE'] ?? defaultCacheDir(homedir());
