/** What the server shows in place of what cannot be read any more. */
export const FORGOTTEN = '<forgotten>';

/** The name of a folder, a token or a workspace, or the label of a memory that waits: whatever an op about no item has. */
export const nameIn = (data: Readonly<Record<string, unknown>>): string | undefined => {
  const { name, sealed } = data;
  const label = (sealed as { readonly label?: unknown } | null | undefined)?.label;
  return [name, label].find((text): text is string => typeof text === 'string' && text !== '');
};
