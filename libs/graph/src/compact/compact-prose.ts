import { countTokens } from '../token-counter.js';
import { chosen, cutToFit } from './fit.js';
import { frequency, queryTokens } from './query-tokens.js';

const HEADING = /^(#{1,6})\s/;
const FENCE = /^(?:```|~~~)/;
const GAP = '[…]';
const GAP_TOKENS = countTokens(GAP);
/** Higher than any count of words. */
const FIRST = 1_000_000;

interface Block {
  readonly text: string;
  /** 1 to 6; 0 for a paragraph. */
  readonly level: number;
}

/** Headings and paragraphs; a line inside fenced code is never a heading. */
const blocksOf = (text: string, hasHeadings: boolean): Block[] => {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let isCode = false;
  const flush = (): void => {
    if (lines.some((line) => line.trim() !== '')) blocks.push({ text: lines.join('\n').trimEnd(), level: 0 });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const level = hasHeadings && !isCode ? (HEADING.exec(line)?.[1]?.length ?? 0) : 0;
    if (FENCE.test(line)) isCode = !isCode;
    if (level > 0) {
      flush();
      blocks.push({ text: line.trimEnd(), level });
    } else if (line.trim() === '' && !isCode) flush();
    else lines.push(line);
  }
  flush();
  return blocks;
};

/** All headings; if they alone are too many, the deepest levels are dropped first. */
const headingsWithin = (blocks: readonly Block[], tokensMax: number): ReadonlySet<number> => {
  for (let deepest = 6; deepest > 0; deepest--) {
    const kept = blocks.flatMap(({ level }, index) => (level > 0 && level <= deepest ? [index] : []));
    const tokens = kept.reduce((sum, index) => sum + countTokens(blocks[index]!.text), 0);
    if (tokens + GAP_TOKENS * (kept.length + 1) <= tokensMax) return new Set(kept);
  }
  return new Set();
};

/** In text order, with a mark wherever a part is missing. */
const joined = (blocks: readonly Block[], kept: ReadonlySet<number>): string => {
  const shown: string[] = [];
  blocks.forEach(({ text }, index) => {
    if (kept.has(index)) shown.push(text);
    else if (shown.at(-1) !== GAP) shown.push(GAP);
  });
  return shown.join('\n\n');
};

interface Prose {
  readonly query: string;
  readonly tokensMax: number;
  readonly hasHeadings: boolean;
}

const paragraphScore = (text: string, index: number, tokens: ReadonlySet<string>, isMarkdown: boolean): number =>
  !isMarkdown && index === 0 ? FIRST : frequency(text, tokens);

/** Headings, then paragraphs with the words of the query; without a query, paragraphs from the start. */
const compactBlocks = (text: string, { query, tokensMax, hasHeadings }: Prose): string => {
  const blocks = blocksOf(text, hasHeadings);
  const tokens = queryTokens(query);
  const headings = headingsWithin(blocks, tokensMax);
  const spent = [...headings].reduce((sum, index) => sum + countTokens(blocks[index]!.text), 0);
  const paragraphs = blocks.flatMap((block, index) => (block.level === 0 ? [{ block, index }] : []));
  // A mark may be needed at every heading and every kept paragraph.
  const marks = GAP_TOKENS * (headings.size + 1);
  const parts = paragraphs.map(({ block, index }) => ({
    text: `${block.text} ${GAP}`,
    score: paragraphScore(block.text, index, tokens, hasHeadings),
  }));
  const kept = chosen(parts, Math.max(0, tokensMax - spent - marks));
  const all = new Set([...headings, ...paragraphs.flatMap(({ index }, i) => (kept.has(i) ? [index] : []))]);
  if (all.size > 0) return joined(blocks, all);
  return tokensMax > GAP_TOKENS ? `${cutToFit(text, tokensMax - GAP_TOKENS)}\n\n${GAP}` : cutToFit(text, tokensMax);
};

export const compactMarkdown = (text: string, query: string, tokensMax: number): string =>
  compactBlocks(text, { query, tokensMax, hasHeadings: true });

/** The first paragraph, then the rest like Markdown without headings. */
export const compactPlain = (text: string, query: string, tokensMax: number): string =>
  compactBlocks(text, { query, tokensMax, hasHeadings: false });
