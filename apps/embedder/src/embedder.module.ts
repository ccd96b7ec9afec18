import { Module, type DynamicModule } from '@nestjs/common';
import type { EmbedderConfig } from './config.js';
import { EmbedderController } from './embedder.controller.js';
import { CONFIG, EMBEDDER_PROVIDERS } from './embedder.providers.js';

@Module({})
export class EmbedderModule {
  static register(config: EmbedderConfig): DynamicModule {
    return {
      module: EmbedderModule,
      controllers: [EmbedderController],
      providers: [{ provide: CONFIG, useValue: config }, ...EMBEDDER_PROVIDERS],
    };
  }
}
