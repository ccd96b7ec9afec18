/** The lexical index's data for a chunk: the text to rank and the columns to filter by. */
export interface LexicalDocument {
  readonly chunkId: string;
  readonly workspaceId: string;
  readonly folderId: string;
  readonly itemId: string;
  readonly superseded: boolean;
  /** ISO-8601; null means that it never expires. */
  readonly expiresAt: string | null;
  /** Title and text of the chunk. */
  readonly body: string;
}

/** One op may cause several changes; each carries the op's position, so that an older one never overwrites a newer one. */
export type LexicalChange =
  | { readonly kind: 'put'; readonly position: number; readonly document: LexicalDocument }
  /** `inKb`: whether the item has documents at this position; undefined if the op does not state it. */
  | {
      readonly kind: 'supersede' | 'revive';
      readonly position: number;
      readonly itemId: string;
      readonly inKb: boolean | undefined;
    }
  | { readonly kind: 'move'; readonly position: number; readonly itemId: string; readonly to: LexicalPlace }
  /** Whether the content of a folder is for people only; no BM25 index holds such content (ADR 0050). */
  | { readonly kind: 'tier'; readonly position: number; readonly folderId: string; readonly sensitive: boolean }
  | { readonly kind: 'remove'; readonly position: number; readonly itemId: string }
  /** By chunk, because the library no longer knows which chunks the item had. */
  | { readonly kind: 'forget'; readonly position: number; readonly chunkIds: readonly string[] };

/** All fields of an item other than its texts: an index that cannot change a single field writes the whole document. */
export interface LexicalPlace {
  readonly folderId: string;
  readonly superseded: boolean;
  readonly expiresAt: string | null;
  readonly title: string;
}

/** A chunk from the library, opened. It is the current state, which may be newer than the change being applied. */
export interface LexicalSource {
  readonly chunkId: string;
  readonly workspaceId: string;
  readonly itemId: string;
  readonly inKb: boolean;
  readonly place: LexicalPlace;
  readonly text: string;
}
