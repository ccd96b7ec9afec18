import { readFileSync } from 'node:fs';

/**
 * What Cairn promises: its tools answer to the published tool surfaces of four products. Each promise has an id, a
 * sentence and a source. A test that proves one cites its id in the title, and a failing test prints the sentence
 * (requirements-reporter.mjs).
 */
export interface Requirement {
  readonly id: string;
  readonly sentence: string;
  /** The product and the tool, or the part of it, that publishes this. */
  readonly source: string;
}

interface Surface {
  readonly source: string;
  readonly rows: Readonly<Record<string, string>>;
}

const surfaces = JSON.parse(readFileSync(new URL('requirements.json', import.meta.url), 'utf8')) as Surface[];

export const REQUIREMENTS: readonly Requirement[] = surfaces.flatMap(({ source, rows }) =>
  Object.entries(rows).map(([id, sentence]) => ({ id, sentence, source })),
);

/** A requirement in the form that a reader of a failure needs. */
export const described = (id: string): string => {
  const found = REQUIREMENTS.find((row) => row.id === id);
  return found ? `[${id}] ${found.sentence} (${found.source})` : `[${id}] is not in the manifest`;
};
