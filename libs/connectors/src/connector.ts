import type { ConnectorCapability, Observation, Retention } from '@cairn/contracts';
import type { SubstrateTable } from '@cairn/graph';
import type { z } from 'zod';

/** What a connector is and what it can do. Data only, so that any part of Cairn may read it. */
export interface ConnectorManifest<S extends z.ZodObject = z.ZodObject> {
  readonly id: string;
  readonly name: string;
  readonly capabilities: readonly ConnectorCapability[];
  /** Whether a workspace may have several accounts of this connector. */
  readonly multiAccount: boolean;
  /** The maximum that the connector stores of a text. An account may store less, never more. */
  readonly retention: Retention;
  /** The schema of an account's settings. Strict: an unknown field is refused. */
  readonly settings: S;
  readonly substrateTable?: SubstrateTable;
}

/** An account, as passed to its connector. */
export interface ConnectedAccount<T = unknown> {
  readonly id: string;
  readonly settings: T;
  readonly credential: string | null;
}

/** One document of a source. */
export interface SourceEntry {
  /** The source's own name for the document; `hydrate` takes it to fetch the document again. */
  readonly ref: string;
  readonly title: string;
  /** Changes when the document does. Absent when only the text reveals a change. */
  readonly version?: string;
  readonly uri?: string;
  /**
   * Facts that are known without reading the document, such as its size: the text of an item that keeps metadata only.
   */
  readonly facts: Readonly<Record<string, string>>;
  /** The source has it but does not tell its state: it is reported as a failure. */
  readonly isUnreadable?: boolean;
}

/** The bytes of one document, with a file name whose extension names the format. */
export interface SourceFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** How long reading one document may take, and how large it may be. */
export interface ReadLimits {
  readonly signal: AbortSignal;
  readonly bytesMax: number;
}

/** The rows of a file, oldest first, and the number of lines that repeat one of them. */
export interface ParsedRows {
  readonly rows: readonly Observation[];
  readonly repeats: number;
}

/**
 * A kind of source. Each function exists only if the manifest names its capability: `list` for `sync`, `hydrate` and
 * `estimate` for `hydrate:text`, `parse` for `import`.
 */
export interface Connector<S extends z.ZodObject = z.ZodObject> {
  readonly manifest: ConnectorManifest<S>;
  /** Refuses settings that the schema allows but this installation does not. */
  readonly check?: (settings: z.output<S>) => Promise<void>;
  /** The documents of the source, in a stable order, those after the ref `after`, at most `limit` of them. */
  readonly list?: (
    account: ConnectedAccount<z.output<S>>,
    options: { readonly limit: number; readonly after?: string; readonly signal: AbortSignal },
  ) => Promise<readonly SourceEntry[]>;
  readonly hydrate?: (ref: string, account: ConnectedAccount<z.output<S>>, limits: ReadLimits) => Promise<SourceFile>;
  /** The document's size in tokens, if the source can report it without sending the document. */
  readonly estimate?: (
    ref: string,
    account: ConnectedAccount<z.output<S>>,
    limits: ReadLimits,
  ) => Promise<number | undefined>;
  /** The rows of a file, or an error that names the fault. */
  readonly parse?: (file: SourceFile) => Promise<ParsedRows>;
}

/** Preserves the type of the settings for the connector's own functions. */
export const defineConnector = <S extends z.ZodObject>(connector: Connector<S>): Connector => connector;

export const can = ({ manifest }: Connector, capability: ConnectorCapability): boolean =>
  manifest.capabilities.includes(capability);
