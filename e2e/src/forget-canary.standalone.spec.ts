import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StandaloneProcess } from '@cairn/testing';
import { describeCanaries, type OpenCairn } from './forget-canary.js';

const run = promisify(execFile);
const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));

const open = async (home: string): Promise<OpenCairn> => {
  const standalone = await StandaloneProcess.start(home, { LOG_LEVEL: 'debug' });
  return {
    url: standalone.run.url,
    mcpUrl: standalone.run.mcpUrl,
    token: standalone.token,
    dataDir: home,
    output: () => standalone.app.output,
    cli: (...args) => run(process.execPath, [CAIRN, ...args], { env: { ...process.env, CAIRN_HOME: home } }),
    restart: async () => {
      await standalone.stop();
      return open(home);
    },
    stop: async () => {
      await standalone.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
};

describeCanaries('a standalone home', () => open(mkdtempSync(join(tmpdir(), 'cairn-canary-'))));
