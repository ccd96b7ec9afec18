/**
 * A thread inside a parser process that ends it when it uses too much memory or when its parent has ended. V8 limits only
 * its heap; unpacked files are in buffers outside of it.
 */
import { workerData } from 'node:worker_threads';
import { FILE_PARSE_MEMORY_BYTES_MAX } from '@cairn/contracts';

/** Short, because a hostile file can fill a gigabyte in a second. */
const LOOK_EVERY_MS = 10;
const { parent } = workerData as { readonly parent: number };

setInterval(() => {
  if (process.memoryUsage.rss() > FILE_PARSE_MEMORY_BYTES_MAX || process.ppid !== parent)
    process.kill(process.pid, 'SIGKILL');
}, LOOK_EVERY_MS);
