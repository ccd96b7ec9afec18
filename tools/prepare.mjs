// Runs before `npm start` and `npm test`: installs what is missing, then builds what changed. Node built-ins only,
// because a fresh clone has nothing else. Prints one line per step, and nothing when everything is up to date.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const NODE_MIN = { major: 20, minor: 19 };

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < NODE_MIN.major || (major === NODE_MIN.major && minor < NODE_MIN.minor)) {
  console.error(`Cairn needs Node ${NODE_MIN.major}.${NODE_MIN.minor} or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** @param {string} path */
const mtime = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);
/** @param {string} command @param {string[]} args */
const run = (command, args) => {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

// npm writes this file at the end of every install: older than the lock means incomplete or outdated.
const installed = mtime(join(root, 'node_modules', '.package-lock.json'));
if (installed < mtime(join(root, 'package-lock.json'))) {
  console.log('prepare: installing packages (npm ci; about a minute the first time)');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}
run(process.execPath, [join(root, 'tools', 'build.mjs')]);
