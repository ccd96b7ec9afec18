import { type EdgeSourceKind, type EntityType } from '@cairn/contracts';

/** One chunk, with the data of its item that applies to all of its chunks. */
export interface ChunkToRead {
  readonly title: string | null;
  readonly tags: readonly string[];
  readonly text: string;
}

/**
 * One occurrence of a name. A short form of a longer name in the same chunk carries the longer name: "Alice" is
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
  /** Rules read what the text states, so they never return `inferred`. */
  readonly sourceKind: EdgeSourceKind;
  readonly negated: boolean;
}

/** At most `FINDINGS_MAX` mentions and as many edges, both in text order; each edge occurs once. */
export interface Findings {
  readonly mentions: readonly FoundMention[];
  readonly edges: readonly FoundEdge[];
}

export const FINDINGS_MAX = 64;

/** Reads names and relations from chunks. The same input and the same id give the same findings, on every machine. */
export interface FindingsExtractor {
  /** Part of the layout of stored findings: a new id means that everything is read again. */
  readonly id: string;
  /** Findings in the order of the chunks. One that cannot be read is a defect, whose details have its `index` among them. */
  extract(chunks: readonly ChunkToRead[]): Promise<readonly Findings[]>;
  close(): Promise<void>;
}
