import {
  fail,
  FILE_BYTES_MAX,
  FILE_PARSE_MS_MAX,
  FILE_PARSERS_MAX,
  FILE_PARSERS_PER_TOKEN_MAX,
  FILE_PARSERS_PER_WORKSPACE_MAX,
  FILES_WAITING_MAX,
  FILES_WAITING_PER_TOKEN_MAX,
  FILES_WAITING_PER_WORKSPACE_MAX,
  plural,
} from '@cairn/contracts';
import { FairGate } from '@cairn/kernel';
import { checkFirstBytes, formatOf, type DocumentFormat } from './document-format.js';
import type { ParsedDocument } from './parsed-document.js';
import { ParserProcess } from './parser-process.js';
import { readDocument } from './read-document.js';
import { checkTextBytes } from './text-encoding.js';

export interface DocumentFile {
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** The owner of a file: workspaces take turns, and so do the tokens of a workspace (ADR 0052). */
export interface ParserCaller {
  readonly workspaceId: string;
  readonly tokenId: string;
}

export interface ParserLimits {
  readonly parseMs: number;
  readonly parsers: number;
  readonly parsersPerWorkspace: number;
  readonly parsersPerToken: number;
  readonly waiting: number;
  readonly waitingPerWorkspace: number;
  readonly waitingPerToken: number;
}

const LIMITS: ParserLimits = {
  parseMs: FILE_PARSE_MS_MAX,
  parsers: FILE_PARSERS_MAX,
  parsersPerWorkspace: FILE_PARSERS_PER_WORKSPACE_MAX,
  parsersPerToken: FILE_PARSERS_PER_TOKEN_MAX,
  waiting: FILES_WAITING_MAX,
  waitingPerWorkspace: FILES_WAITING_PER_WORKSPACE_MAX,
  waitingPerToken: FILES_WAITING_PER_TOKEN_MAX,
};

/** An idle parser is stopped after this time, because it holds tens of megabytes. */
const IDLE_MS = 15_000;

/** Plain text needs a decoder but no parser, and decoding the longest allowed text is fast. */
const isPlain = (format: DocumentFormat): boolean => format === 'txt' || format === 'md';
const isAsLongAsItsText = (format: DocumentFormat): boolean => isPlain(format) || format === 'csv' || format === 'json';

/**
 * Turns files into text. Formats with a grammar are parsed in a separate process with limited time and memory: a hostile
 * file can only end that process (ADR 0019). A process is reused until it fails or is idle for too long.
 */
export class DocumentParser {
  private readonly idle: { readonly process: ParserProcess; readonly timer: NodeJS.Timeout }[] = [];
  private readonly running = new Set<ParserProcess>();
  private readonly limits: ParserLimits;
  private readonly gate: FairGate;
  private isClosed = false;

  constructor(limits: Partial<ParserLimits> = {}) {
    this.limits = { ...LIMITS, ...limits };
    const { parsers, parsersPerWorkspace, parsersPerToken } = this.limits;
    this.gate = new FairGate(parsers, [parsersPerWorkspace, parsersPerToken]);
  }

  async parse({ fileName, bytes }: DocumentFile, caller: ParserCaller): Promise<ParsedDocument> {
    const format = formatOf(fileName);
    if (bytes.length > FILE_BYTES_MAX)
      throw fail('input.too_large', `a file must have at most ${FILE_BYTES_MAX} bytes`, {
        field: 'file',
        limit: FILE_BYTES_MAX,
      });
    checkFirstBytes(format, bytes);
    if (isAsLongAsItsText(format)) checkTextBytes(bytes);
    if (isPlain(format)) return readDocument(format, bytes);
    const keys = [caller.workspaceId, caller.tokenId] as const;
    this.checkWaiting(keys);
    return this.gate.run({ keys, size: bytes.length }, () => this.parseApart(format, bytes));
  }

  /** Stops every parser. Files that are being read fail with `service.unavailable`. */
  async close(): Promise<void> {
    this.isClosed = true;
    const idle = this.idle.splice(0).map(({ process, timer }) => (clearTimeout(timer), process));
    await Promise.all([...idle, ...this.running].map((process) => process.stop()));
  }

  private async parseApart(format: DocumentFormat, bytes: Uint8Array): Promise<ParsedDocument> {
    if (this.isClosed) throw fail('service.unavailable', 'Cairn is stopping');
    const process = this.takeProcess();
    this.running.add(process);
    try {
      return await process.parse({ format, bytes }, this.limits.parseMs);
    } finally {
      this.running.delete(process);
      this.keep(process);
    }
  }

  private checkWaiting([workspaceId, tokenId]: readonly [string, string]): void {
    const { waiting, waitingPerWorkspace, waitingPerToken } = this.limits;
    this.checkShare([workspaceId, tokenId], waitingPerToken, ' of this token');
    this.checkShare([workspaceId], waitingPerWorkspace, ' of this workspace');
    this.checkShare([], waiting, '');
  }

  private checkShare(keys: readonly string[], limit: number, whose: string): void {
    if (this.gate.waitingCount(keys) < limit) return;
    throw fail(
      'busy',
      `${plural(limit, `file${whose} is`, `files${whose} are`)} waiting to be read already; try again`,
      { limit },
    );
  }

  private takeProcess(): ParserProcess {
    const kept = this.idle.pop();
    if (!kept) return new ParserProcess();
    clearTimeout(kept.timer);
    return kept.process.hasEnded ? this.takeProcess() : kept.process;
  }

  private keep(process: ParserProcess): void {
    if (process.hasEnded) return;
    if (this.isClosed) return void process.stop();
    const timer = setTimeout(() => {
      this.idle.splice(this.idle.indexOf(entry), 1);
      void process.stop();
    }, IDLE_MS).unref();
    const entry = { process, timer };
    this.idle.push(entry);
  }
}
