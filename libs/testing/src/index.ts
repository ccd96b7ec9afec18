/**
 * What tests of several projects share: backing services and builders. Refuses to be imported by product code.
 */
export {
  SeededLibrary,
  TEST_MODEL,
  type SeedChunk,
  type SeededItem,
  type SeedFolder,
  type SeedItem,
} from './seeded-library.js';
