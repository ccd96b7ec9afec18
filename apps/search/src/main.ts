import { runService } from '@cairn/messaging';
import { searchConfig, searchEnv } from './config.js';
import type { Readers } from './readers.js';
import { SearchModule } from './search.module.js';
import { READERS } from './search.providers.js';

runService(process.env, {
  name: 'search',
  env: searchEnv,
  module: (env) => SearchModule.register(searchConfig(env)),
  check: (app) => app.get<Readers>(READERS).status.check(),
});
