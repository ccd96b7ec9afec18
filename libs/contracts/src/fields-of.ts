/**
 * The fields of `from` that `shape` names, and no others. A thing that keeps its field names across borders (command,
 * op, row, answer) is copied by the one list that describes it; a new field is added only there.
 */
export const fieldsOf = <S extends object, T extends Readonly<Record<keyof S, unknown>>>(
  shape: S,
  from: T,
): Pick<T, keyof S & keyof T> =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, from[name as keyof S]])) as Pick<T, keyof S & keyof T>;
