import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { chromium, type Browser } from 'playwright-core';

const SYSTEM_BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];

const PACKAGE_DIR = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..', '..');
const { version } = JSON.parse(readFileSync(join(PACKAGE_DIR, 'package.json'), 'utf8')) as { version: string };

const inflate = (name: string): Buffer => brotliDecompressSync(readFileSync(join(PACKAGE_DIR, 'bin', name)));

const unpackInto = (dir: string): void => {
  writeFileSync(join(dir, 'chromium'), inflate('chromium.br'), { mode: 0o755 });
  // Libraries and fonts that some systems lack.
  for (const archive of ['swiftshader.tar.br', 'fonts.tar.br', 'al2023.tar.br']) {
    const { status, stderr } = spawnSync('tar', ['-x', '-C', dir], { input: inflate(archive) });
    if (status !== 0) throw new Error(`${archive} cannot be unpacked: ${stderr.toString()}`);
  }
};

/**
 * The directory with the unpacked browser of the package. The package can unpack it by itself, but another test process
 * could then start half-written files; here the whole directory appears at once, and the first process wins.
 */
const unpackedBrowser = (): string => {
  const dir = join(tmpdir(), `cairn-chromium-${version}`);
  if (existsSync(dir)) return dir;
  const mine = mkdtempSync(`${dir}-`);
  unpackInto(mine);
  try {
    renameSync(mine, dir);
  } catch (thrown) {
    rmSync(mine, { recursive: true });
    if (!existsSync(dir)) throw thrown;
  }
  return dir;
};

const launchPackaged = (): Promise<Browser> => {
  const dir = unpackedBrowser();
  const executablePath = join(dir, 'chromium');
  const lacksLibraries = spawnSync('ldd', [executablePath]).stdout?.includes('not found');
  const env = {
    ...process.env,
    ...(lacksLibraries ? { LD_LIBRARY_PATH: join(dir, 'lib') } : {}),
    ...(existsSync('/etc/fonts') ? {} : { FONTCONFIG_PATH: dir }),
  };
  return chromium.launch({ executablePath, args: ARGS, headless: true, env });
};

/** A real Chromium: the system's own, or else the one in the packages. */
export const launchBrowser = (): Promise<Browser> => {
  const executablePath = SYSTEM_BROWSERS.find((path) => existsSync(path));
  return executablePath === undefined
    ? launchPackaged()
    : chromium.launch({ executablePath, args: ARGS, headless: true });
};
