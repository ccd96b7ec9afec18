import { LOGGER, Metrics, type Logger } from '@cairn/observability';
import { Module, type DynamicModule } from '@nestjs/common';
import type { EmbedderConfig } from './config.js';
import { EmbedderController } from './embedder.controller.js';
import { EmbedderService } from './embedder.service.js';

@Module({})
export class EmbedderModule {
  static register(config: EmbedderConfig): DynamicModule {
    const open = (logger: Logger, metrics: Metrics): Promise<EmbedderService> =>
      EmbedderService.open(config, logger, metrics);
    return {
      module: EmbedderModule,
      controllers: [EmbedderController],
      providers: [{ provide: EmbedderService, useFactory: open, inject: [LOGGER, Metrics] }],
    };
  }
}
