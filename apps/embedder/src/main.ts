import { runService } from '@cairn/messaging';
import { embedderConfig, embedderEnv } from './config.js';
import { EmbedderModule } from './embedder.module.js';
import { EmbedderService } from './embedder.service.js';

runService(process.env, {
  name: 'embedder',
  env: embedderEnv,
  module: (env) => EmbedderModule.register(embedderConfig(env)),
  check: (app) => app.get(EmbedderService).check(),
});
