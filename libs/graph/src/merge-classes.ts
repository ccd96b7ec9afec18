/** Two names that a person has declared to be one entity. */
export interface NameMerge {
  readonly aliasKey: string;
  readonly canonicalKey: string;
  readonly position: number;
}

/** One entity: all names that merges connect. The first one is preferred. */
export interface EntityClass {
  readonly key: string;
  readonly keys: readonly string[];
}

const rootOf = (parents: Map<string, string>, key: string): string => {
  let root = key;
  while (parents.get(root) !== undefined && parents.get(root) !== root) root = parents.get(root)!;
  return root;
};

/** The canonical side of the newest merge; among merges at the same position, the smaller key. */
const preferred = (keys: ReadonlySet<string>, merges: readonly NameMerge[]): string | undefined =>
  merges
    .filter(({ canonicalKey }) => keys.has(canonicalKey))
    .toSorted((a, b) => b.position - a.position || (a.canonicalKey < b.canonicalKey ? -1 : 1))[0]?.canonicalKey;

/**
 * The entity of each name. Classes are connected components, so a cycle of merges needs no rule. A name that occurs in
 * no merge is its own class.
 */
export const entityClasses = (
  keys: readonly string[],
  merges: readonly NameMerge[],
): ReadonlyMap<string, EntityClass> => {
  const parents = new Map<string, string>();
  for (const { aliasKey, canonicalKey } of merges)
    parents.set(rootOf(parents, aliasKey), rootOf(parents, canonicalKey));
  const members = new Map<string, Set<string>>();
  for (const key of [...keys, ...merges.flatMap(({ aliasKey, canonicalKey }) => [aliasKey, canonicalKey])]) {
    const root = rootOf(parents, key);
    members.set(root, (members.get(root) ?? new Set()).add(key));
  }
  const classes = new Map<string, EntityClass>();
  for (const own of members.values()) {
    const first = preferred(own, merges) ?? [...own][0]!;
    const entity = { key: first, keys: [first, ...[...own].filter((key) => key !== first).toSorted()] };
    for (const key of own) classes.set(key, entity);
  }
  return classes;
};
