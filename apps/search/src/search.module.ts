import { LOGGER, Metrics, type Logger } from '@cairn/observability';
import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { SearchConfig } from './config.js';
import { ItemsController } from './items/items.controller.js';
import { ListingsController } from './listings/listings.controller.js';
import { OpsController } from './ops/ops.controller.js';
import { QueryResponder } from './query-responder.js';
import { RetrievalController } from './retrieval/retrieval.controller.js';
import { SearchService } from './search.service.js';
import { StatusController } from './status/status.controller.js';

export interface SearchModuleOptions extends SearchConfig {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

@Module({})
export class SearchModule implements OnApplicationShutdown {
  constructor(private readonly service: SearchService) {}

  static register({ logger, metrics, ...config }: SearchModuleOptions): DynamicModule {
    return {
      module: SearchModule,
      controllers: [RetrievalController, ItemsController, ListingsController, OpsController, StatusController],
      providers: [
        { provide: SearchService, useFactory: () => SearchService.open(config, metrics) },
        { provide: LOGGER, useValue: logger },
        { provide: Metrics, useValue: metrics },
        QueryResponder,
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.service.close();
  }
}
