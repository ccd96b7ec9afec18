import type { ResourceLink } from '../tool.js';

/** The URI of an item's text, for `resources/read`. A hit has it instead of the text. */
export const artifactUri = (itemId: string): string => `carabase://artifact/${itemId}`;

/** The artifacts of an answer as links, each once. */
export const artifactLinks = (
  hits: readonly { readonly artifact: string; readonly title: string }[],
): readonly ResourceLink[] => {
  const titles = new Map(hits.map(({ artifact, title }) => [artifact, title]));
  return [...titles].map(([uri, title]) => ({ uri, name: title === '' ? uri : title }));
};
