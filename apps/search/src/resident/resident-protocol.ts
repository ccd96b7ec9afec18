/** The messages between search and the thread that holds the vectors. */

/** Which folders a scan reads: all or only some, without the hidden ones. */
export interface FolderChoice {
  readonly only: readonly string[] | null;
  readonly except: readonly string[];
}

/** Vectors in the binary form of the database. Rows of forgotten chunks are left out. */
export interface PutJob {
  readonly kind: 'put';
  readonly block: string;
  readonly dims: number;
  readonly ids: Uint8Array;
  readonly folders: readonly string[];
  readonly vectors: Uint8Array;
  readonly forgotten: Uint8Array;
}

export interface ScanJob extends FolderChoice {
  readonly kind: 'scan';
  readonly block: string;
  readonly query: Float32Array;
  readonly wanted: number;
}

export interface ForgetJob {
  readonly kind: 'forget';
  readonly ids: Uint8Array;
}

export interface DropJob {
  readonly kind: 'drop';
  readonly block: string;
}

/** Changes what is held. */
export type ChangeJob = PutJob | ForgetJob | DropJob;
export type ResidentJob = ScanJob | ChangeJob;

/** The ids of chunks, 16 bytes each, and the score that no other chunk reaches; null if there is no other. */
export interface Scanned {
  readonly ids: Uint8Array;
  readonly reach: number | null;
}

export interface Held {
  readonly rows: number;
  readonly bytes: number;
}

export interface ScanAnswer {
  /** Absent without such a block. */
  readonly scanned?: Scanned;
}

export interface ChangeAnswer {
  /** Of all blocks, and of the one that the job named. */
  readonly held: Held;
  readonly blockBytes: number;
}

export type AnswerTo<J extends ResidentJob> = J extends ScanJob ? ScanAnswer : ChangeAnswer;
