#!/usr/bin/env node
// The program itself is compiled; npm links this file as `cairn`, also before the first build.
import { existsSync } from 'node:fs';

const program = new URL('../dist/main.js', import.meta.url);
if (!existsSync(program)) {
  console.error('cairn is not built yet: run `npm run build` (or `npm start` once) first.');
  process.exit(1);
}
await import(program.href);
