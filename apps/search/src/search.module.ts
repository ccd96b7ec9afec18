import { Metrics } from '@cairn/observability';
import { Module, type DynamicModule } from '@nestjs/common';
import type { SearchConfig } from './config.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';

@Module({})
export class SearchModule {
  static register(config: SearchConfig): DynamicModule {
    const open = (metrics: Metrics): Promise<SearchService> => SearchService.open(config, metrics);
    return {
      module: SearchModule,
      controllers: [SearchController],
      providers: [{ provide: SearchService, useFactory: open, inject: [Metrics] }],
    };
  }
}
