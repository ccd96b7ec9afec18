// Runs before `npm start` and `npm test`: installs what is missing, then builds what changed. Node built-ins only,
// because on a fresh clone there is nothing else. Says one line per step, and nothing when all is there.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const NODE_MIN = [20, 19];

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1])) {
  console.error(`Cairn needs Node ${NODE_MIN.join('.')} or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

const mtime = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);
const run = (command, args) => {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

// npm writes this file at the end of every install: older than the lock means half or outdated.
const installed = mtime(join(root, 'node_modules', '.package-lock.json'));
if (installed < mtime(join(root, 'package-lock.json'))) {
  console.log('prepare: installing packages (npm ci; about a minute the first time)');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}
run(process.execPath, [join(root, 'tools', 'build.mjs')]);
