import { asApiError, type ApiError } from '../../api/api-error.js';

/** One file of an upload. */
export interface Upload {
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'stored' | 'failed';
  readonly itemId?: string;
  readonly error?: ApiError;
}

/** The types that a file input offers; the server decides. */
export const FILE_TYPES = '.txt,.md,.csv,.json,.html,.pdf,.docx';

/** The added files without those that are already listed: a file that is dropped twice is uploaded once. */
export const withFiles = (uploads: readonly Upload[], files: readonly File[]): readonly Upload[] => {
  const isListed = (file: File): boolean =>
    uploads.some(
      ({ file: { name, size, lastModified } }) =>
        name === file.name && size === file.size && lastModified === file.lastModified,
    );
  const added = files.filter((file) => !isListed(file)).map((file) => ({ file, state: 'waiting' as const }));
  return [...uploads, ...added];
};

export const isLeft = ({ state }: Upload): boolean => state === 'waiting' || state === 'failed';

export interface Sending {
  readonly send: (file: File) => Promise<{ readonly id: string }>;
  /** Called at every step of every file. */
  readonly onStep: (upload: Upload) => void;
  readonly isStopped: () => boolean;
}

/** Sends the remaining files, one after the other. A failure does not stop the rest. */
export const sendUploads = async (uploads: readonly Upload[], { send, onStep, isStopped }: Sending): Promise<void> => {
  for (const { file } of uploads.filter(isLeft)) {
    if (isStopped()) return;
    onStep({ file, state: 'sending' });
    await send(file).then(
      ({ id }) => onStep({ file, state: 'stored', itemId: id }),
      (thrown: unknown) => onStep({ file, state: 'failed', error: asApiError(thrown) }),
    );
  }
};

/** The files of a drop. A folder arrives as an entry without content and is left out. */
export const droppedFiles = ({ items }: Pick<DataTransfer, 'items'>): { files: File[]; folders: number } => {
  const entries = [...items].filter(({ kind }) => kind === 'file');
  const files = entries.filter((entry) => !entry.webkitGetAsEntry()?.isDirectory).map((entry) => entry.getAsFile());
  return { files: files.filter((file) => file !== null), folders: entries.length - files.length };
};
