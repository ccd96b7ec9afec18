import { type ChunkToRead, type Findings } from './findings-extractor.port.js';

/** What goes to the thread and comes back. One batch is in work at a time, so nothing needs a number. */
export interface ExtractorJob {
  readonly chunks: readonly ChunkToRead[];
}
export interface ExtractorAnswer {
  readonly findings: readonly Findings[];
}
