import { Client } from '@opensearch-project/opensearch';

export type OpenSearchClient = Client;

export const connectOpenSearch = (url: string): OpenSearchClient =>
  new Client({ node: url, requestTimeout: 10_000, maxRetries: 2 });
