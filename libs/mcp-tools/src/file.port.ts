export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A file as text. */
export interface FileText {
  readonly title: string;
  readonly text: string;
  /** The stored name: the last part of a path. */
  readonly name: string;
}

/** Files that an agent passes in. The implementation parses them in a separate process (ADR 0019). */
export interface FilePort {
  read(file: GivenFile): Promise<FileText>;
}
