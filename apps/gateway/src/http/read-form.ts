import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import {
  asAppError,
  echoed,
  fail,
  FILE_BYTES_MAX,
  FORM_BYTES_MAX,
  FORM_FIELD_BYTES_MAX,
  FORM_FIELDS_MAX,
} from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import busboy from 'busboy';
import { checkEncoding, drain, fileTooLarge } from './read-body.js';
import type { HeldBytes } from './upload-budget.js';

export interface FormFile {
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

export interface Form {
  /** Each field with all its values, in the order in which they came. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly file: FormFile;
}

export interface FormRules {
  readonly isField: (name: string) => boolean;
  /** Throws if files of this name are not accepted, so the caller does not send 20 MiB first. */
  readonly checkFileName: (fileName: string) => void;
}

const FILE_FIELD = 'file';
const NAME_BYTES_MAX = 100;
/** A file is known to be too long only when one byte too many has arrived. */
const FILE_BYTES_READ = FILE_BYTES_MAX + 1;

const invalid = (field: string, message: string, limit?: number): AppError =>
  fail('input.invalid', `${field} ${message}`, { field, ...(limit === undefined ? {} : { limit }) });
/** A part may also have no name at all. */
const unknownField = (name: string | undefined, hint = ''): AppError =>
  name === undefined
    ? invalid('form', 'must give each of its parts a name')
    : invalid(echoed(name), `is not a known field${hint}`);
const malformed = (cause?: unknown): AppError =>
  fail('input.malformed', 'the form is cut off or malformed', { field: 'body' }, cause);

const open = (req: IncomingMessage): busboy.Busboy => {
  try {
    return busboy({
      headers: req.headers,
      defParamCharset: 'utf8',
      limits: {
        files: 1,
        fileSize: FILE_BYTES_READ,
        fields: FORM_FIELDS_MAX,
        fieldSize: FORM_FIELD_BYTES_MAX,
        fieldNameSize: NAME_BYTES_MAX,
      },
    });
  } catch (cause) {
    throw malformed(cause);
  }
};

/**
 * The parser inserts U+FFFD where bytes do not match the charset, and returns nothing for an unknown charset. No one
 * sends that character on purpose, so it indicates text in another encoding than the declared one.
 */
const isDecoded = (text: string): boolean => !text.includes('\ufffd');

/**
 * Collects the parts of one form as they arrive, and ends at the first fault. The parser calls it, so an exception
 * thrown here would be uncaught and end the process.
 */
class FormCollector {
  private readonly fields = new Map<string, string[]>();
  private readonly chunks: Buffer[] = [];
  private fileName: string | undefined;

  constructor(
    private readonly rules: FormRules,
    private readonly held: HeldBytes,
    private readonly refuse: (error: AppError) => void,
  ) {}

  readonly onField = (
    name: string | undefined,
    value: string | undefined,
    { valueTruncated }: { readonly valueTruncated: boolean },
  ): void => {
    try {
      if (name === FILE_FIELD) throw invalid(FILE_FIELD, 'must be a file with a file name');
      const field = this.knownField(name);
      if (valueTruncated) throw invalid(field, `must have at most ${FORM_FIELD_BYTES_MAX} bytes`, FORM_FIELD_BYTES_MAX);
      if (value === undefined || !isDecoded(value)) throw invalid(field, 'must be valid UTF-8');
      this.fields.set(field, [...(this.fields.get(field) ?? []), value]);
    } catch (thrown) {
      this.refuse(asAppError(thrown));
    }
  };

  readonly onFile = (
    name: string | undefined,
    stream: Readable,
    { filename }: { readonly filename?: string },
  ): void => {
    stream.on('error', () => undefined);
    try {
      if (name !== FILE_FIELD) throw unknownField(name, '; the file goes into file');
      if (!filename) throw invalid(FILE_FIELD, 'must have a file name');
      if (!isDecoded(filename)) throw invalid(FILE_FIELD, 'must have a file name in valid UTF-8');
      this.rules.checkFileName(filename);
    } catch (thrown) {
      stream.resume();
      return this.refuse(asAppError(thrown));
    }
    this.fileName = filename;
    stream.on('limit', () => this.refuse(fileTooLarge()));
    stream.on('data', (chunk: Buffer) => this.keep(chunk));
  };

  private knownField(name: string | undefined): string {
    if (name === undefined || !this.rules.isField(name)) throw unknownField(name);
    return name;
  }

  private keep(chunk: Buffer): void {
    try {
      this.held.take(chunk.length);
      this.chunks.push(chunk);
    } catch (thrown) {
      this.refuse(asAppError(thrown));
    }
  }

  form(): Form {
    if (this.fileName === undefined) throw invalid(FILE_FIELD, 'is required');
    return { fields: this.fields, file: { fileName: this.fileName, bytes: Buffer.concat(this.chunks) } };
  }
}

export const isForm = (req: IncomingMessage): boolean =>
  /^multipart\/form-data\s*(;|$)/i.test(req.headers['content-type'] ?? '');

/** Reads a form of one file and a few short fields into memory, and rejects it at the first fault. */
export const readForm = (req: IncomingMessage, rules: FormRules, held: HeldBytes): Promise<Form> =>
  new Promise((resolve, reject) => {
    checkEncoding(req);
    const parser = open(req);
    let hasEnded = false;
    let received = 0;
    const refuse = (error: AppError): void => {
      if (hasEnded) return;
      hasEnded = true;
      req.unpipe(parser);
      drain(req);
      reject(error);
    };
    const collector = new FormCollector(rules, held, refuse);
    const onClose = (): void => {
      if (hasEnded) return;
      try {
        resolve(collector.form());
      } catch (thrown) {
        refuse(asAppError(thrown));
      }
    };
    parser.on('field', collector.onField).on('file', collector.onFile);
    parser.on('filesLimit', () => refuse(invalid(FILE_FIELD, 'must be given once', 1)));
    parser.on('fieldsLimit', () =>
      refuse(invalid('form', `must have at most ${FORM_FIELDS_MAX} fields`, FORM_FIELDS_MAX)),
    );
    parser.on('error', (cause) => refuse(malformed(cause))).on('close', onClose);
    req.on('aborted', () => refuse(malformed()));
    req.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > FORM_BYTES_MAX) refuse(fileTooLarge());
    });
    req.pipe(parser);
  });
