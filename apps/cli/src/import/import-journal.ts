import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface DoneFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Unknown for a file that was sent earlier with another token. */
  readonly itemId?: string;
}

const parsed = (line: string): DoneFile[] => {
  try {
    return [JSON.parse(line) as DoneFile];
  } catch {
    // The last line of a run that was killed while writing it. Its file is sent again under the same key.
    return [];
  }
};

const keyOf = ({ path, bytes, sha256 }: Omit<DoneFile, 'itemId'>): string => `${sha256} ${bytes} ${path}`;

/**
 * The files that are already imported, one per line. The journal only saves time: a file that is missing from it is
 * sent again under the same key, and the server treats it as a repeat.
 */
export class ImportJournal {
  private readonly done: Set<string>;

  /** Only reads the file, so a dry run leaves nothing behind. */
  constructor(readonly file: string) {
    this.done = new Set(this.lines().flatMap(parsed).map(keyOf));
  }

  /** Called before the first file is sent: if the journal cannot be written, nothing is sent. */
  prepare(): void {
    mkdirSync(dirname(this.file), { recursive: true });
    // Ends a line that was cut off, so it does not swallow the next one.
    if ((this.lines().at(-1) ?? '') !== '') appendFileSync(this.file, '\n');
  }

  has(file: Omit<DoneFile, 'itemId'>): boolean {
    return this.done.has(keyOf(file));
  }

  add(file: DoneFile): void {
    appendFileSync(this.file, `${JSON.stringify(file)}\n`, { mode: 0o600 });
    this.done.add(keyOf(file));
  }

  private lines(): string[] {
    return existsSync(this.file) ? readFileSync(this.file, 'utf8').split('\n') : [];
  }
}
