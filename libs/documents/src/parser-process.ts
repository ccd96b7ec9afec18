import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { fail, FILE_PARSE_HEAP_MIB, FILE_PARSE_MEMORY_BYTES_MAX } from '@cairn/contracts';
import { unreadable } from './document-format.js';
import type { ParsedDocument } from './parsed-document.js';
import type { ParserAnswer, ParserJob } from './parser-protocol.js';

/** A child process cannot run TypeScript, so tests that load sources use the built file. */
const CHILD_FILE = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../dist/parser-child.js' : './parser-child.js', import.meta.url),
);

const MIB = 1_048_576;

const tooMuchMemory = (how: string) =>
  unreadable(
    `reading it takes more than ${FILE_PARSE_MEMORY_BYTES_MAX / MIB} MiB of memory, or breaks the parser`,
    new Error(`the parser ended with ${how}`),
  );

const tooMuchTime = (ms: number) => unreadable(`reading it takes more than ${ms / 1_000} s`);

interface Pending {
  readonly resolve: (document: ParsedDocument) => void;
  readonly reject: (reason: Error) => void;
}

/** The parent's side of a parser process, which gets only the file: no environment, no output. */
export class ParserProcess {
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;
  private pending: Pending | undefined;
  hasEnded = false;

  constructor() {
    this.child = fork(CHILD_FILE, {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${FILE_PARSE_HEAP_MIB}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: {},
    });
    this.ended = new Promise((resolve) => this.child.once('exit', () => resolve()).once('error', () => resolve()));
    this.child.on('message', (answer) => this.onAnswer(answer as ParserAnswer));
    this.child.on('exit', (code, signal) => this.onEnd(tooMuchMemory(signal ?? `code ${code}`)));
    this.child.on('error', (cause) => this.onEnd(fail('service.unavailable', 'no parser could be run', {}, cause)));
  }

  /** One file at a time. When the process did not survive it, `hasEnded` is true. */
  async parse(job: ParserJob, msMax: number): Promise<ParsedDocument> {
    this.child.ref();
    this.child.channel?.ref();
    const timer = setTimeout(() => {
      this.onEnd(tooMuchTime(msMax));
      void this.stop();
    }, msMax);
    try {
      return await new Promise((resolve, reject) => {
        this.pending = { resolve, reject };
        this.child.send(job, (error) => error && this.onEnd(tooMuchMemory(error.message)));
      });
    } finally {
      clearTimeout(timer);
      // An idle parser does not keep the parent alive.
      this.child.unref();
      this.child.channel?.unref();
    }
  }

  async stop(): Promise<void> {
    this.onEnd(fail('service.unavailable', 'Cairn is stopping'));
    this.child.kill('SIGKILL');
    // The child is unreferenced while idle. Reference it, or a program that waits only for this would end first.
    this.child.ref();
    await this.ended;
  }

  private onAnswer(answer: ParserAnswer): void {
    const { pending } = this;
    this.pending = undefined;
    if ('document' in answer) return pending?.resolve(answer.document);
    const { code, message, details } = answer.refusal;
    pending?.reject(fail(code, message, details));
  }

  private onEnd(reason: Error): void {
    this.hasEnded = true;
    this.pending?.reject(reason);
    this.pending = undefined;
  }
}
