import { RequestRefused, type RestClient } from '../rest/rest-client.js';
import { isText } from './group-files.js';
import type { ImportJournal } from './import-journal.js';
import type { FileOutcome } from './run-import.js';
import { storeBatch, type ItemAnswer } from './store-batch.js';
import { fitsAlone, inRequests, textEntry, type TextEntry } from './text-entry.js';
import { inspectFile, uploadFile, type ImportTarget } from './upload-file.js';
import type { FoundFile } from './walk-folder.js';

type Settled = PromiseSettledResult<FileOutcome>;

/** The place in the batch means nothing to the reader of the report, which names the file. */
const withoutPlace = (message: string): string => message.replace(/^items\[\d+\]: /, '');

/** Sends the files of a group: texts in batches, every other file by itself. */
export class FileSender {
  constructor(
    private readonly client: RestClient,
    private readonly journal: ImportJournal,
    private readonly target: ImportTarget,
  ) {}

  readonly handle = async (files: readonly FoundFile[]): Promise<readonly Settled[]> => {
    const prepared = await Promise.allSettled(files.map((file) => this.prepare(file)));
    const entries = prepared.flatMap((one) => (one.status === 'fulfilled' && isEntry(one.value) ? [one.value] : []));
    const outcomes = new Map<TextEntry, Settled>();
    for (const request of inRequests(entries)) {
      const settled = await this.store(request);
      request.forEach((entry, i) => outcomes.set(entry, settled[i]!));
    }
    return prepared.map((one): Settled => {
      if (one.status === 'rejected') return one;
      return isEntry(one.value) ? outcomes.get(one.value)! : { status: 'fulfilled', value: one.value };
    });
  };

  /** The entry of a text, or the outcome of a file that the journal lists or that was uploaded by itself. */
  private async prepare(found: FoundFile): Promise<FileOutcome | TextEntry> {
    if (!isText(found)) return this.upload(found);
    const { content, file, isKnown } = await inspectFile(this.journal, this.target.root, found);
    if (isKnown) return 'known';
    const entry = await textEntry(this.target, file, content);
    return fitsAlone(entry) ? entry : this.upload(found);
  }

  private upload(found: FoundFile): Promise<FileOutcome> {
    return uploadFile(this.client, this.journal, this.target, found);
  }

  /** If there is no answer, every file of the request has the same outcome: the reason. */
  private async store(entries: readonly TextEntry[]): Promise<readonly Settled[]> {
    const asked = storeBatch(this.client, entries);
    return Promise.allSettled(entries.map(async (entry) => this.record(entry, (await asked).get(entry)!)));
  }

  private record({ file }: TextEntry, { error, ...answer }: ItemAnswer): FileOutcome {
    // A used key: the file was stored, and is now forgotten or hidden.
    if (error && error.code !== 'idempotency.key_reused')
      throw new RequestRefused(error.code, withoutPlace(error.message));
    this.journal.add('id' in answer ? { ...file, itemId: answer.id } : file);
    return error ? 'known' : 'imported';
  }
}

const isEntry = (value: FileOutcome | TextEntry): value is TextEntry => typeof value === 'object';
