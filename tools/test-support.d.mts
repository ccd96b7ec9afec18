export declare const isTestSupport: (file: string) => boolean;
export declare const isTestSupportImport: (specifier: string) => boolean;
