import { STOPPING } from '@cairn/messaging';
import { LOGGER, Metrics, type Logger } from '@cairn/observability';
import { Module, type DynamicModule } from '@nestjs/common';
import type { IngestConfig } from './config.js';
import { IngestController } from './ingest.controller.js';
import { IngestService } from './ingest.service.js';

@Module({})
export class IngestModule {
  static register(config: IngestConfig): DynamicModule {
    const open = (logger: Logger, metrics: Metrics, stopping: AbortSignal): Promise<IngestService> =>
      IngestService.open({ ...config, stopping }, logger, metrics);
    return {
      module: IngestModule,
      controllers: [IngestController],
      providers: [{ provide: IngestService, useFactory: open, inject: [LOGGER, Metrics, STOPPING] }],
    };
  }
}
