#!/usr/bin/env node
// The program is compiled; this file is what npm links as `cairn` before the first build.
import { existsSync } from 'node:fs';

const program = new URL('../dist/main.js', import.meta.url);
if (!existsSync(program)) {
  console.error('cairn is not built yet: run `npm run build` (or `npm start` once) first.');
  process.exit(1);
}
await import(program.href);
