import { cutAtWord, titleFrom } from '@cairn/contracts';

/**
 * What is embedded of a chunk. 1: its text alone. 2: the title of its item, the headings above it, and its text.
 * Vectors of two recipes cannot be compared, so the recipe is part of the id of the vectors.
 */
export type Recipe = 1 | 2;
export const CURRENT_RECIPE: Recipe = 2;

/**
 * Characters of the title, and of the headings. A model reads some 512 tokens and a chunk has up to 480, so that at most
 * the end of a long chunk is not read.
 */
const TITLE_CHARS_MAX = 160;
const HEADINGS_CHARS_MAX = 160;

export interface EmbeddedPassage {
  /** Undefined if the item has none of its own. */
  readonly title: string | undefined;
  /** Outermost first. */
  readonly headings: readonly string[];
  readonly text: string;
}

/** The innermost headings that fit: they say most about the text. */
const headingLine = (headings: readonly string[]): string => {
  const kept: string[] = [];
  let chars = 0;
  for (const heading of [...headings].reverse()) {
    const cut = cutAtWord(heading, HEADINGS_CHARS_MAX);
    chars += cut.length + (kept.length > 0 ? 3 : 0);
    if (chars > HEADINGS_CHARS_MAX) break;
    kept.unshift(cut);
  }
  return kept.join(' > ');
};

/** A line that the text begins with anyway is not repeated. */
const contextLines = ({ title = '', headings, text }: EmbeddedPassage): string[] => {
  const ofTitle = titleFrom(text) === title ? '' : cutAtWord(title, TITLE_CHARS_MAX);
  const others = headings.filter((heading) => heading !== title);
  return [ofTitle, headingLine(others)].filter((line) => line !== '');
};

/** The text that a model embeds for a chunk. */
export const embeddedText = (recipe: Recipe, passage: EmbeddedPassage): string =>
  recipe === 1 ? passage.text : [...contextLines(passage), passage.text].join('\n');

/** The id of the vectors that a model makes by a recipe. The first recipe has no mark: its vectors exist without one. */
export const vectorsId = (modelId: string, recipe: Recipe = CURRENT_RECIPE): string =>
  recipe === 1 ? modelId : `${modelId}+r${recipe}`;

/** The model and the recipe of an id; undefined for a recipe of a later build. */
export const parseVectorsId = (id: string): { readonly modelId: string; readonly recipe: Recipe } | undefined => {
  const [, modelId, mark] = /^(.*)\+r(\d+)$/.exec(id) ?? [];
  if (modelId === undefined) return { modelId: id, recipe: 1 };
  return mark === '2' ? { modelId, recipe: 2 } : undefined;
};
