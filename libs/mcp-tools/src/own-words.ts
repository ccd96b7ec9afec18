import { AppError } from '@cairn/kernel';

/**
 * The names of a tool's arguments, and the field of a command or query that each of them fills, if the names differ.
 */
export interface ToolWords {
  readonly arguments: readonly string[];
  readonly cameFrom: Readonly<Record<string, string>>;
}

/** A name such as `folderId` is a field anywhere in a message; a plain word such as `name` only at the beginning. */
const mentionsOf = (name: string): RegExp =>
  /^[a-z]*$/.test(name) ? new RegExp(`^${name}\\b`) : new RegExp(`\\b${name}\\b`, 'g');

/**
 * A refusal in the terms of the called tool: a command names `folderId` where the tool's argument is `folder_id`. A
 * field that no argument fills is left out, since the caller cannot change it, and so are lists of a command's fields.
 */
export const inOwnWords = (thrown: unknown, { arguments: known, cameFrom }: ToolWords): unknown => {
  if (!(thrown instanceof AppError)) return thrown;
  const { code, kind, message, details, cause } = thrown;
  const { field, faults: _, knownFields: __, didYouMean: ___, ...rest } = details;
  if (typeof field !== 'string') return thrown;
  const [name = ''] = /^\w+/.exec(field) ?? [];
  const argument = cameFrom[name] ?? name;
  const words = message.replace(mentionsOf(name), argument);
  const shown = known.includes(argument) ? { field: `${argument}${field.slice(name.length)}` } : {};
  return new AppError(code, kind, words, { ...rest, ...shown }, cause);
};
