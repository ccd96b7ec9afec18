/** Removes the folder that was needed for the scope check: the folder of an example says nothing about the whole. */
export const withoutFolder = <T extends { readonly folderId: string }>({ folderId: _, ...shown }: T) => shown;
