import { type EdgeSourceKind, type EntityType } from '@cairn/contracts';

/** One chunk, with what its item says about all of its chunks. */
export interface ChunkToRead {
  readonly title: string | null;
  readonly tags: readonly string[];
  readonly text: string;
}

/**
 * One occurrence of a name. A short form that means a longer name of the same chunk carries the longer name: "Alice" is
 * `{ name: 'Alice Chen' }` with the offsets of "Alice".
 */
export interface FoundMention {
  readonly name: string;
  readonly type: EntityType;
  readonly typeConfidence: number;
  readonly confidence: number;
  /** Offsets in the chunk's text, in UTF-16 units; null for a name in the title or a tag. */
  readonly start: number | null;
  readonly end: number | null;
}

/** A stated relation. Both ends are among the mentions of the same findings. */
export interface FoundEdge {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly subjectType: EntityType;
  readonly objectType: EntityType;
  readonly confidence: number;
  /** Rules read what the text says, so they never return `inferred`. */
  readonly sourceKind: EdgeSourceKind;
  readonly negated: boolean;
}

/** At most `FINDINGS_MAX` mentions and as many edges, both in the order of the text; an edge stands here once. */
export interface Findings {
  readonly mentions: readonly FoundMention[];
  readonly edges: readonly FoundEdge[];
}

export const FINDINGS_MAX = 64;

/** Reads names and relations out of chunks. The same input and the same id give the same findings, on every machine. */
export interface FindingsExtractor {
  /** Part of the layout of what is stored: another id means that everything is read again. */
  readonly id: string;
  /** Findings in the order of the chunks. */
  extract(chunks: readonly ChunkToRead[]): Promise<readonly Findings[]>;
  close(): Promise<void>;
}
