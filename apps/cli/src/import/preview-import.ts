import { basename } from 'node:path';
import { FILE_PARSERS_MAX, parseInput, StoreItem } from '@cairn/contracts';
import { DocumentParser, fileItem } from '@cairn/documents';
import { z } from 'zod';
import type { ImportJournal } from './import-journal.js';
import type { FileOutcome } from './run-import.js';
import { inspectFile } from './upload-file.js';
import type { FoundFile } from './walk-folder.js';

const { title, text } = StoreItem.schema.shape;
const limitedFields = z.strictObject({ title, text });
/** The parser has no other caller. */
const CALLER = { workspaceId: 'import', tokenId: 'import' };

/**
 * What an import would do with each file, given the present file and journal. It only reads, with the server's parsers
 * and the limits of an item, so a file that the server would reject fails here with the same code and message.
 */
export class Preview {
  private readonly fresh = new Set<FoundFile>();
  private readonly parser: DocumentParser;

  constructor(
    private readonly journal: ImportJournal,
    private readonly root: string,
    concurrency: number,
  ) {
    // There is only one caller, so it may use the whole budget.
    this.parser = new DocumentParser({
      parsersPerWorkspace: FILE_PARSERS_MAX,
      parsersPerToken: FILE_PARSERS_MAX,
      waitingPerWorkspace: concurrency,
      waitingPerToken: concurrency,
    });
  }

  readonly handle = async (file: FoundFile): Promise<FileOutcome> => {
    const { isKnown, content } = await inspectFile(this.journal, this.root, file);
    if (isKnown) return 'known';
    await this.check(file, content);
    this.fresh.add(file);
    return 'imported';
  };

  /** The files that would be sent, in the order of the walk; several are previewed at the same time. */
  wouldImport(files: readonly FoundFile[]): FoundFile[] {
    return files.filter((file) => this.fresh.has(file));
  }

  close(): Promise<void> {
    return this.parser.close();
  }

  private async check({ path }: FoundFile, bytes: Uint8Array): Promise<void> {
    const file = { fileName: basename(path), bytes };
    const { title: itemTitle, text: itemText } = await fileItem(file, (given) => this.parser.parse(given, CALLER));
    parseInput(limitedFields, { title: itemTitle, text: itemText });
  }
}
