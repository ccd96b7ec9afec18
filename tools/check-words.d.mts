export declare const findingsIn: (
  path: string,
  text: string,
) => { readonly line: number; readonly phrase: string; readonly instead: string }[];
