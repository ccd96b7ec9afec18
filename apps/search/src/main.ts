import { runService } from '@cairn/messaging';
import { searchConfig, searchEnv } from './config.js';
import { SearchModule } from './search.module.js';
import { SearchService } from './search.service.js';

runService(process.env, {
  name: 'search',
  env: searchEnv,
  module: (env) => SearchModule.register(searchConfig(env)),
  check: (app) => app.get(SearchService).status.check(),
});
