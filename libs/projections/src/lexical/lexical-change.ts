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
  | { readonly kind: 'supersede'; readonly position: number; readonly itemIds: readonly string[] };
