export declare const allowedProjects: (project: string) => string[];
export declare const importsOf: (source: string) => string[];
export declare const violation: (
  project: string,
  specifier: string,
  options: { readonly isTest: boolean },
) => string | undefined;
