/** A count with its noun, for messages: "1 chunk", "2 chunks". `many` is given if the plural is irregular. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
