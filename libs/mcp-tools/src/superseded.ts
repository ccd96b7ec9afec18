import type { QueryAnswer } from '@cairn/contracts';

type Supersedable = Pick<QueryAnswer<'item.get'>, 'superseded' | 'supersededById'>;

export const isSuperseded = ({ superseded, supersededById }: Supersedable): boolean =>
  superseded ?? supersededById !== null;

/**
 * Tells a reader that a text is no longer valid, and how to read its replacement; undefined for a current item. A
 * replacement that the reader may not see has no id here, and is not mentioned.
 */
export const supersededNote = (item: Supersedable, howToRead: (id: string) => string): string | undefined => {
  if (!isSuperseded(item)) return undefined;
  const { supersededById } = item;
  const next = supersededById === null ? '' : ` For the replacement, ${howToRead(supersededById)}.`;
  return `its text is no longer valid.${next}`;
};
