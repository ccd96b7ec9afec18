import { PLACES } from './gazetteer.js';
import { type NameUnit } from './names.js';
import { typeOfName } from './name-types.js';

/** The full form of a name in the chunk. */
export interface Resolved {
  readonly name: string;
  readonly key: string;
  readonly isShortForm: boolean;
  /** Whether two longer names fit, so that neither is chosen. */
  readonly isAmbiguous: boolean;
}

/** "Alice" and "Chen" may stand for Alice Chen, "Northgate" for Northgate Robotics, "Heron" for Project Heron. */
const canShorten = (long: NameUnit, word: string): boolean => {
  const words = long.key.split(' ');
  const { type } = typeOfName(long);
  if (words[0] === word) return type === 'person' || type === 'organization';
  return words.at(-1) === word && (type === 'person' || type === 'project');
};

const resolveShort = (unit: NameUnit, long: readonly NameUnit[]): Resolved => {
  const self: Resolved = { name: unit.name, key: unit.key, isShortForm: false, isAmbiguous: false };
  if (unit.words > 1 || unit.mark?.type || PLACES.has(unit.key)) return self;
  const fitting = new Map(long.filter((other) => canShorten(other, unit.key)).map((other) => [other.key, other]));
  if (fitting.size === 0) return self;
  const [only] = fitting.values();
  return fitting.size === 1
    ? { name: only!.name, key: only!.key, isShortForm: true, isAmbiguous: false }
    : { ...self, isAmbiguous: true };
};

/**
 * Resolves every name of a chunk within the chunk: data from outside would make a rebuilt projection differ from the
 * live one.
 */
export const resolveNames = (names: readonly NameUnit[]): ReadonlyMap<NameUnit, Resolved> => {
  const long = [
    ...new Map(names.filter(({ words, mark }) => words > 1 && !mark?.type).map((unit) => [unit.key, unit])).values(),
  ];
  const firstNames = new Map<string, string>();
  for (const { key, name } of [...long, ...names]) if (!firstNames.has(key)) firstNames.set(key, name);
  const byKey = new Map<string, Resolved>();
  return new Map(
    names.map((unit) => {
      const known = byKey.get(unit.key) ?? resolveShort(unit, long);
      byKey.set(unit.key, known);
      return [unit, { ...known, name: firstNames.get(known.key)! }];
    }),
  );
};
