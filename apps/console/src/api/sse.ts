export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** Server-sent events out of text that arrives in pieces cut anywhere. */
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

/** How long to wait before the next try, after so many that failed in a row. */
export const backoffMs = (failures: number): number => Math.min(BACKOFF_FIRST_MS * 2 ** failures, BACKOFF_MAX_MS);
