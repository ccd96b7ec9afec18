import { runService } from '@cairn/messaging';
import { ingestConfig, ingestEnv } from './config.js';
import { IngestModule } from './ingest.module.js';
import { IngestService } from './ingest.service.js';

runService(process.env, {
  name: 'ingest',
  env: ingestEnv,
  module: (env) => IngestModule.register(ingestConfig(env)),
  check: (app) => app.get(IngestService).check(),
});
