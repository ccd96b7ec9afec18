import { runService } from '@cairn/messaging';
import { ingestConfig, ingestEnv } from './config.js';
import { IngestStatus } from './ingest-status.js';
import { IngestModule } from './ingest.module.js';

runService(process.env, {
  name: 'ingest',
  env: ingestEnv,
  module: (env) => IngestModule.register(ingestConfig(env)),
  isAddressed: true,
  check: (app) => app.get(IngestStatus).check(),
});
