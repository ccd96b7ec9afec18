/**
 * The access rule, stated once: as a function, as SQL text and as an OpenSearch filter, all built from one reader
 * value. Also the single "not found" error of each kind of thing, so that hidden and missing look alike. Never queries
 * a store.
 */
export { notFound } from './not-found.js';
export { readerOf, reachOf, seesNothing, type FolderReader, type Reader } from './reader.js';
export { visibleDocuments } from './visible-opensearch.js';
export {
  folderIsListed,
  folderIsVisible,
  folderReaderValues,
  inKbIsVisible,
  isCurrent,
  isInFolders,
  itemIsCurrent,
  itemIsVisible,
  readerSql,
  readerValues,
  visibleHead,
  visibleItems,
  type FolderReaderSql,
  type NotCurrentSql,
  type ReaderSql,
} from './visible.sql.js';
export {
  isSensitive,
  listsFolder,
  sees,
  seesInKb,
  seesPlaced,
  seesTier,
  type Place,
  type PlacedThing,
} from './visible.js';
