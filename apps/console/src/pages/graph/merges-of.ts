import type { Op } from '../../api/answers.js';

/** Two names that a person has declared to be one entity. */
export interface Merge {
  readonly id: string;
  readonly alias: string;
  readonly canonical: string;
}

/** The names as the op has them; a name whose text was forgotten can no longer be read. */
const nameOf = (anchors: unknown): string | undefined => {
  const names = (Array.isArray(anchors) ? anchors : []).map((anchor: { readonly name?: unknown }) => anchor.name);
  return names.find((name): name is string => typeof name === 'string' && name !== '<forgotten>');
};

/** The merges among the names of one entity that have not been undone, newest first. */
export const mergesOf = (names: readonly string[], merged: readonly Op[], split: readonly Op[]): readonly Merge[] => {
  const undone = new Set(split.map(({ data }) => data['mergeId']));
  return merged.flatMap(({ data }) => {
    const [id, alias, canonical] = [data['mergeId'], nameOf(data['alias']), nameOf(data['canonical'])];
    if (typeof id !== 'string' || undone.has(id) || alias === undefined || canonical === undefined) return [];
    return names.includes(alias) && names.includes(canonical) ? [{ id, alias, canonical }] : [];
  });
};
