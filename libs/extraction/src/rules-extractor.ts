import { extractFindings } from './extract-findings.js';
import { type ChunkToRead, type Findings, type FindingsExtractor } from './findings-extractor.port.js';

/** Changes with every change of a rule, a word list or the language model: stored findings are then extracted again. */
export const RULES_EXTRACTOR_ID = 'rules-2';

/** The rules in the calling thread. Ingest runs them in a separate thread (`WorkerExtractor`). */
export class RulesExtractor implements FindingsExtractor {
  readonly id = RULES_EXTRACTOR_ID;

  extract(chunks: readonly ChunkToRead[]): Promise<readonly Findings[]> {
    return Promise.resolve(chunks.map(extractFindings));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
