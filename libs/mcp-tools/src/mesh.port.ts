import type { Retention } from '@cairn/contracts';

/** A text in its current state at the source, or the stored text if all of it is stored. */
export interface ResolvedText {
  readonly text: string;
  readonly tokens: number;
  readonly compacted: boolean;
  readonly retention: Retention;
  readonly provenance: { readonly connector: string; readonly uri: string; readonly fetchedAt: string };
}

/** Texts at their sources. The implementation decides whether one may be fetched (docs/adr/0096). */
export interface MeshPort {
  resolve(uri: string): Promise<ResolvedText>;
}
