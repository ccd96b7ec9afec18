export const REBUILDABLE = ['library', 'vectors', 'lexical', 'archive'] as const;
export type Rebuildable = (typeof REBUILDABLE)[number];
