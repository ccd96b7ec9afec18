import { countTokens } from '../token-counter.js';
import { compactCsv } from './compact-csv.js';
import { compactPdf } from './compact-pdf.js';
import { compactMarkdown, compactPlain } from './compact-prose.js';
import type { CompactFormat } from './text-format.js';

export interface Compaction {
  readonly format: CompactFormat;
  /** Empty if the caller has no particular question. */
  readonly query: string;
  readonly maxTokens: number;
}

export interface Compacted {
  readonly text: string;
  /** The token counts of the compacted and of the original text. */
  readonly tokens: number;
  readonly of: number;
}

const BY_FORMAT: Readonly<Record<CompactFormat, (text: string, query: string, tokensMax: number) => string>> = {
  csv: compactCsv,
  markdown: compactMarkdown,
  pdf: compactPdf,
  plain: compactPlain,
};

/**
 * A text within a budget of tokens: unchanged if it fits, otherwise reduced to the parts that matter for its format and
 * the query.
 */
export const compactText = (text: string, { format, query, maxTokens }: Compaction): Compacted => {
  const of = countTokens(text);
  if (of <= maxTokens) return { text, tokens: of, of };
  const compacted = BY_FORMAT[format](text, query, maxTokens);
  return { text: compacted, tokens: countTokens(compacted), of };
};
