// `npm run eval:standalone`: runs the scripts of `npm run eval:agent` against the product. Starts the standalone
// profile on an empty home, runs them there, and stops it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StandaloneProcess } from '@cairn/testing';

const home = mkdtempSync(join(tmpdir(), 'cairn-eval-'));
const standalone = await StandaloneProcess.start(home);
try {
  const args = ['run', '--silent', 'eval:agent', '--', '--url', standalone.run.url, '--token', standalone.token];
  const [code] = await once(spawn('npm', args, { stdio: 'inherit' }), 'exit');
  process.exitCode = typeof code === 'number' ? code : 1;
} finally {
  await standalone.stop();
  rmSync(home, { recursive: true, force: true });
}
