/**
 * The fields of `from` that `shape` names, and no others. A thing that keeps its names from border to border (command,
 * op, row, answer) is copied by the one list that describes it; a new field is added there only.
 */
export const fieldsOf = <S extends object, T extends Readonly<Record<keyof S, unknown>>>(
  shape: S,
  from: T,
): Pick<T, keyof S & keyof T> =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, from[name as keyof S]])) as Pick<T, keyof S & keyof T>;
