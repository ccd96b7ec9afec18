import { Module, type DynamicModule } from '@nestjs/common';
import type { SearchConfig } from './config.js';
import { SearchLifecycle } from './search-lifecycle.js';
import { SearchController } from './search.controller.js';
import { CONFIG, SEARCH_PROVIDERS } from './search.providers.js';

@Module({})
export class SearchModule {
  static register(config: SearchConfig): DynamicModule {
    return {
      module: SearchModule,
      controllers: [SearchController],
      providers: [{ provide: CONFIG, useValue: config }, ...SEARCH_PROVIDERS, SearchLifecycle],
    };
  }
}
