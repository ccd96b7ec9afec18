import { fail } from '@cairn/contracts';

/** Maps old names to current ones, each a path such as `filters.date_from`. */
export type ArgumentAliases = Readonly<Record<string, string>>;

type Loose = Record<string, unknown>;

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const pathOf = (name: string): { readonly parents: readonly string[]; readonly key: string } => {
  const parts = name.split('.');
  return { parents: parts.slice(0, -1), key: parts.at(-1)! };
};

const objectAt = (root: Loose, parents: readonly string[]): Loose | undefined =>
  parents.reduce<Loose | undefined>((at, key) => {
    const inner = at && Object.hasOwn(at, key) ? at[key] : undefined;
    return isObject(inner) ? inner : undefined;
  }, root);

/** The object that an argument belongs to; created if absent, undefined if another value is in its place. */
const placeFor = (root: Loose, parents: readonly string[]): Loose | undefined => {
  let at: Loose = root;
  for (const key of parents) {
    if (!Object.hasOwn(at, key)) at[key] = {};
    const inner = at[key];
    if (!isObject(inner)) return undefined;
    at = inner;
  }
  return at;
};

const renameOne = (root: Loose, old: string, name: string): void => {
  const from = pathOf(old);
  const holder = objectAt(root, from.parents);
  if (!holder || !Object.hasOwn(holder, from.key)) return;
  const to = pathOf(name);
  const place = placeFor(root, to.parents);
  if (!place) return;
  if (Object.hasOwn(place, to.key))
    throw fail('input.invalid', `${old} and ${name} are the same argument: give ${name} only`, { field: old });
  place[to.key] = holder[from.key];
  delete holder[from.key];
};

/**
 * Arguments under the names of the schema. An argument that is given under both the old and the new name is refused.
 */
export const renamed = (args: unknown, aliases: ArgumentAliases): unknown => {
  if (!isObject(args)) return args;
  const copy = structuredClone(args);
  for (const [old, name] of Object.entries(aliases)) renameOne(copy, old, name);
  return copy;
};
