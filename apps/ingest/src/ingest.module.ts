import { Module, type BeforeApplicationShutdown, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, Metrics, type Logger } from '@cairn/observability';
import { CommandsController } from './commands/commands.controller.js';
import { IngestService } from './ingest.service.js';

/** The service is opened before Nest is, so that a broker or database that is away stops the start with its own message. */
@Module({})
export class IngestModule implements BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(private readonly service: IngestService) {}

  static register(service: IngestService, logger: Logger, metrics: Metrics): DynamicModule {
    return {
      module: IngestModule,
      controllers: [CommandsController],
      providers: [
        { provide: IngestService, useValue: service },
        { provide: LOGGER, useValue: logger },
        { provide: Metrics, useValue: metrics },
      ],
    };
  }

  /** The transport is still connected here, so that answers can leave. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.service.finish();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.service.close();
  }
}
