// `node --import ./tools/from-source.mjs <command>`: runs a command on the sources of this workspace.
import { register } from 'node:module';

register('./source-hooks.mjs', import.meta.url);
