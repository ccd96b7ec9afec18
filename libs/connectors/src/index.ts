/**
 * Cairn's knowledge of external sources: the contract of a connector (`defineConnector`), the manifests, and the
 * built-in connectors. `builtInConnectors` is the only list. Never stores, logs or returns a credential; only the
 * functions of a connector receive one.
 */
export {
  can,
  defineConnector,
  type ConnectedAccount,
  type Connector,
  type ConnectorManifest,
  type ParsedRows,
  type ReadLimits,
  type SourceEntry,
  type SourceFile,
} from './connector.js';
export { builtInConnectors, CONNECTOR_MANIFESTS, type ConnectorHost } from './connectors.js';
export { canonicalFile } from './series/canonical-file.js';
export { readSeriesFile, SERIES_FORMATS, type SeriesFile } from './series/read-rows.js';
export { hollowSummary, keptText } from './kept-text.js';
export { pageFile } from './page-file.js';
export type { FetchPage } from './url.connector.js';
