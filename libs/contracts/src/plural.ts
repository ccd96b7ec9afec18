/** A count with its noun, for messages: "1 chunk", "2 chunks". The plural is given where an "s" does not make it. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
