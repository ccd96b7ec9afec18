type Json = Readonly<Record<string, unknown>>;

export const typeOf: (schema: Json) => string;
export const consoleApi: (document: Json, tools: Readonly<Record<string, Json>>) => string;
