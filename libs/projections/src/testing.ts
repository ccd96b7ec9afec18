/** Test support of @cairn/projections: for specs of this and other projects, never compiled. */
export { SeededLibrary, TEST_MODEL, type SeedItem } from './seeded-library.harness.js';
export { removeSensitiveDocuments } from './lexical/sensitive-documents.js';
