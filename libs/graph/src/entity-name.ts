import type { EntityType } from '@cairn/contracts';

/** A mention of an entity, as far as it decides how the entity is shown. */
export interface NamingMention {
  /** The name as it stands in the text. */
  readonly surface: string;
  /** Whether it mentions the entity by its own name, not by an alias. */
  readonly isOwnName: boolean;
  readonly type: EntityType;
  readonly typeConfidence: number;
  readonly position: number;
}

interface Tally<T> {
  readonly value: T;
  readonly isOwnName: boolean;
  readonly weight: number;
  readonly first: number;
}

const tally = <T extends string>(
  mentions: readonly NamingMention[],
  valueOf: (mention: NamingMention) => T,
  weightOf: (mention: NamingMention) => number,
): Tally<T>[] => {
  const tallies = new Map<T, Tally<T>>();
  for (const mention of mentions) {
    const value = valueOf(mention);
    const { isOwnName = false, weight = 0, first = Infinity } = tallies.get(value) ?? {};
    tallies.set(value, {
      value,
      isOwnName: isOwnName || mention.isOwnName,
      weight: weight + weightOf(mention),
      first: Math.min(first, mention.position),
    });
  }
  return [...tallies.values()];
};

/** Sums of confidences that differ only by rounding are equal. */
const MILLIONTHS = 1_000_000;

const heavier = <T extends string>(a: Tally<T>, b: Tally<T>): number =>
  Math.round((b.weight - a.weight) * MILLIONTHS) || a.first - b.first || (a.value < b.value ? -1 : 1);

/**
 * The most frequent form and type of an entity's mentions; of equals, the one that was mentioned first. A form of the
 * entity's own name precedes those of its aliases.
 */
export const nameEntity = (
  mentions: readonly NamingMention[],
): { readonly name: string; readonly type: EntityType } => {
  const forms = tally(
    mentions,
    ({ surface }) => surface,
    () => 1,
  );
  const types = tally(
    mentions,
    ({ type }) => type,
    ({ typeConfidence }) => typeConfidence,
  );
  const [form] = forms.toSorted((a, b) => Number(b.isOwnName) - Number(a.isOwnName) || heavier(a, b));
  const [type] = types.toSorted(heavier);
  return { name: form!.value, type: type!.value };
};
