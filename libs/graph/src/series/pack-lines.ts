import { CHUNK_CHARS_MAX, CHUNKS_PER_OP_MAX, OBSERVATIONS_PER_CHUNK_MAX } from '@cairn/contracts';

/** Packs lines into chunks, each of which can be forgotten individually. A line is never cut. */
export const packLines = (lines: readonly string[]): string[] => {
  const chunks: string[][] = [];
  let [current, chars]: [string[], number] = [[], 0];
  for (const line of lines) {
    if (
      current.length === OBSERVATIONS_PER_CHUNK_MAX ||
      (current.length > 0 && chars + line.length > CHUNK_CHARS_MAX)
    ) {
      chunks.push(current);
      [current, chars] = [[], 0];
    }
    current.push(line);
    chars += line.length + 1;
  }
  if (current.length > 0) chunks.push(current);
  return chunks.map((chunk) => `${chunk.join('\n')}\n`);
};

/** The chunks of each item: as many as one op carries, so that a batch is one op. */
export const packItems = (chunks: readonly string[]): (readonly string[])[] => {
  const items: (readonly string[])[] = [];
  for (let start = 0; start < chunks.length; start += CHUNKS_PER_OP_MAX)
    items.push(chunks.slice(start, start + CHUNKS_PER_OP_MAX));
  return items;
};
