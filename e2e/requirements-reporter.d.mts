export declare const cited: (titles: readonly string[]) => string[];
