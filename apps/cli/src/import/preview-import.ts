import type { ImportJournal } from './import-journal.js';
import type { FileOutcome } from './run-import.js';
import { inspectFile } from './upload-file.js';
import type { FoundFile } from './walk-folder.js';

/** What an import would do with each file as file and journal are now. It only reads. */
export class Preview {
  private readonly fresh = new Set<FoundFile>();

  constructor(
    private readonly journal: ImportJournal,
    private readonly root: string,
  ) {}

  readonly handle = async (file: FoundFile): Promise<FileOutcome> => {
    const { isKnown } = await inspectFile(this.journal, this.root, file);
    if (!isKnown) this.fresh.add(file);
    return isKnown ? 'known' : 'imported';
  };

  /** Those that would be sent, in the order of the walk: several are looked at at once. */
  wouldImport(files: readonly FoundFile[]): FoundFile[] {
    return files.filter((file) => this.fresh.has(file));
  }
}
