import { type ChunkToRead, type Findings } from './findings-extractor.port.js';

/** The messages to and from the thread. One batch is in progress at a time, so messages need no number. */
export interface ExtractorJob {
  readonly chunks: readonly ChunkToRead[];
}
export interface ExtractorAnswer {
  readonly findings: readonly Findings[];
}
