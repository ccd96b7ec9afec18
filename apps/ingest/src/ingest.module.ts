import { systemClock, type Clock } from '@cairn/kernel';
import { Module, type DynamicModule } from '@nestjs/common';
import type { IngestConfig } from './config.js';
import { IngestLifecycle } from './ingest-lifecycle.js';
import { IngestController } from './ingest.controller.js';
import { CLOCK, CONFIG, INGEST_PROVIDERS } from './ingest.providers.js';

@Module({})
export class IngestModule {
  static register(config: IngestConfig, clock: Clock = systemClock): DynamicModule {
    return {
      module: IngestModule,
      controllers: [IngestController],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: CLOCK, useValue: clock },
        ...INGEST_PROVIDERS,
        IngestLifecycle,
      ],
    };
  }
}
