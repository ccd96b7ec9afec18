export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** Parses server-sent events from text that arrives in arbitrary pieces. */
export class SseParser {
  private rest = '';

  push(text: string): readonly ServerEvent[] {
    const blocks = (this.rest + text).replaceAll('\r\n', '\n').split('\n\n');
    this.rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => eventOf(block) ?? []);
  }
}

const eventOf = (block: string): ServerEvent | undefined => {
  let name = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) name = line.slice(6).trim();
    if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
  }
  return data.length === 0 ? undefined : { name, data: data.join('\n') };
};

const BACKOFF_FIRST_MS = 500;
const BACKOFF_MAX_MS = 15_000;

/** The wait before the next attempt, after this many failures in a row. */
export const backoffMs = (failures: number): number => Math.min(BACKOFF_FIRST_MS * 2 ** failures, BACKOFF_MAX_MS);
