/** The server's placeholder for text that can no longer be read. */
export const FORGOTTEN = '<forgotten>';

/** The name of a folder, token or workspace, or the label of a waiting memory: the name of an op without an item. */
export const nameIn = (data: Readonly<Record<string, unknown>>): string | undefined => {
  const { name, sealed } = data;
  const label = (sealed as { readonly label?: unknown } | null | undefined)?.label;
  return [name, label].find((text): text is string => typeof text === 'string' && text !== '');
};
