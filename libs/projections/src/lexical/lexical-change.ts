/** What the lexical index must know of a chunk: the text to rank and the columns to filter by. */
export interface LexicalDocument {
  readonly chunkId: string;
  readonly workspaceId: string;
  readonly folderId: string;
  readonly itemId: string;
  readonly superseded: boolean;
  /** ISO-8601; null never expires. */
  readonly expiresAt: string | null;
  /** Title and text of the chunk. */
  readonly body: string;
}

/** One op may cause several changes; each carries the op's position, so that an older one never overwrites a newer. */
export type LexicalChange =
  | { readonly kind: 'put'; readonly position: number; readonly document: LexicalDocument }
  /** `inKb` is whether the item has documents at this position; undefined where the op does not say. */
  | {
      readonly kind: 'supersede' | 'revive';
      readonly position: number;
      readonly itemId: string;
      readonly inKb: boolean | undefined;
    }
  | { readonly kind: 'move'; readonly position: number; readonly itemId: string; readonly to: LexicalPlace }
  /** Of a folder: whether what lies in it is for people only, which no BM25 index holds (ADR 0050). */
  | { readonly kind: 'tier'; readonly position: number; readonly folderId: string; readonly sensitive: boolean }
  | { readonly kind: 'remove'; readonly position: number; readonly itemId: string }
  /** By chunk: the library, which could say which chunks an item has, has none of them any more. */
  | { readonly kind: 'forget'; readonly position: number; readonly chunkIds: readonly string[] };

/** All that is said of an item besides its texts: an index that cannot change one field writes a document whole. */
export interface LexicalPlace {
  readonly folderId: string;
  readonly superseded: boolean;
  readonly expiresAt: string | null;
  readonly title: string;
}

/** A chunk as the library holds it, opened. All of it is of now, which may be later than a change that is being applied. */
export interface LexicalSource {
  readonly chunkId: string;
  readonly workspaceId: string;
  readonly itemId: string;
  readonly inKb: boolean;
  readonly place: LexicalPlace;
  readonly text: string;
}
