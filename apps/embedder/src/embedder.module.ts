import { LOGGER, type Logger } from '@cairn/observability';
import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { EmbedderController } from './embedder.controller.js';
import { EmbedderService } from './embedder.service.js';

@Module({})
export class EmbedderModule implements OnApplicationShutdown {
  constructor(private readonly service: EmbedderService) {}

  static register(service: EmbedderService, logger: Logger): DynamicModule {
    return {
      module: EmbedderModule,
      controllers: [EmbedderController],
      providers: [
        { provide: EmbedderService, useValue: service },
        { provide: LOGGER, useValue: logger },
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.service.close();
  }
}
