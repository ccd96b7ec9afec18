import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { LOGGER, Metrics, type Logger } from '@cairn/observability';
import { CommandsController } from './commands/commands.controller.js';
import { IngestController } from './ingest.controller.js';
import { IngestService } from './ingest.service.js';

/**
 * The service is opened before Nest is, so that a start that cannot succeed ends with its own message; and it has
 * finished (`IngestService.finish`) before the app is closed, because Nest cuts the transport first.
 */
@Module({})
export class IngestModule implements OnApplicationShutdown {
  constructor(private readonly service: IngestService) {}

  static register(service: IngestService, logger: Logger, metrics: Metrics): DynamicModule {
    return {
      module: IngestModule,
      controllers: [CommandsController, IngestController],
      providers: [
        { provide: IngestService, useValue: service },
        { provide: LOGGER, useValue: logger },
        { provide: Metrics, useValue: metrics },
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.service.close();
  }
}
