/**
 * Who may see what, stated once: as a function, as SQL text and as a filter of OpenSearch, all from one reader value. Also
 * the one "not found" of each kind of thing, so that hidden looks like missing. Refuses to ask a store.
 */
export { notFound } from './not-found.js';
export { readerOf, reachOf, seesNothing, type FolderReader, type Reader } from './reader.js';
export { visibleDocuments } from './visible-opensearch.js';
export {
  folderIsListed,
  folderIsVisible,
  folderReaderValues,
  isCurrent,
  isInFolders,
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
