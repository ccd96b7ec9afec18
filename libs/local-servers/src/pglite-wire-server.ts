import { createServer, type Server, type Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';
import { ScramVerifier } from './scram.js';
import { StatementWatch } from './statement-watch.js';
import { statementLimitMs, WireFrames, type WireUnit } from './wire-frames.js';
import { WireLogin } from './wire-login.js';

export interface WireServerOptions {
  readonly db: PGlite;
  readonly host: string;
  readonly port: number;
  readonly connectionsMax: number;
  /** Needed because every user of the machine can reach a loopback port. */
  readonly password: string;
}

type RunnableUnit = Extract<WireUnit, { bytes: Buffer }>;

interface Session {
  readonly socket: Socket;
  readonly frames: WireFrames;
  /** Units that wait to run. */
  readonly waiting: RunnableUnit[];
  /** True between a Flush and the Sync that ends the exchange. */
  isOpen: boolean;
  /** Until the client has signed in. */
  login: WireLogin | undefined;
  /** How long its statements may run; 0 means no limit. */
  limitMs: number;
}

/** Far more than a driver needs. Beyond it, a client that has not signed in may hold neither memory nor a connection. */
const LOGIN_BYTES_MAX = 16_384;
const LOGIN_MS_MAX = 10_000;
const NO_ENCRYPTION = Buffer.from('N');
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);

const simpleQuery = (sql: string): Buffer => {
  const body = Buffer.from(`${sql}\0`);
  const header = Buffer.alloc(5);
  header.write('Q');
  header.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
};

const ROLLBACK = simpleQuery('ROLLBACK');
const CHECKPOINT = simpleQuery('CHECKPOINT');

/**
 * The Postgres protocol in front of one PGlite. All clients share the single backend session, so some messages must run
 * without others in between: everything up to a Sync (Parse, Bind and Execute share the unnamed statement), and a whole
 * transaction. `pglite-socket` passes single messages on instead: as soon as a statement fills more than one packet,
 * another client's Parse arrives between its Parse and its Bind, and a client gets the rows of another client's query.
 */
export class PgliteWireServer {
  readonly #server: Server;
  readonly #sessions = new Set<Session>();
  readonly #verifier: ScramVerifier;
  readonly #watch: StatementWatch;
  /** The session whose transaction or exchange is open: until that ends, no other session runs. */
  #owner: Session | undefined;
  #turns: Session[] = [];
  #pumping: Promise<void> | undefined;
  #isCheckpointDue = false;

  constructor(private readonly options: WireServerOptions) {
    this.#verifier = new ScramVerifier(options.password);
    this.#watch = new StatementWatch(options.db);
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
    this.#server.maxConnections = options.connectionsMax;
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.options.port, this.options.host, () => resolve());
    });
  }

  /** Disconnects all clients. A running statement finishes; an open transaction is rolled back. */
  async close(): Promise<void> {
    this.#server.close();
    const sessions = [...this.#sessions];
    await Promise.all(sessions.map((session) => this.#leave(session)));
    sessions.forEach(({ socket }) => socket.destroy());
    await this.#pumping;
  }

  /** Writes a checkpoint as soon as no transaction is open. */
  checkpoint(): void {
    this.#isCheckpointDue = true;
    this.#startPump();
  }

  #startPump(): void {
    this.#pumping ??= this.#pump().finally(() => (this.#pumping = undefined));
  }

  #accept(socket: Socket): void {
    const login = new WireLogin(this.#verifier);
    const session: Session = { socket, frames: new WireFrames(), waiting: [], isOpen: false, limitMs: 0, login };
    this.#sessions.add(session);
    const deadline = setTimeout(() => session.login && socket.destroy(), LOGIN_MS_MAX);
    socket.on('close', () => clearTimeout(deadline));
    socket.on('data', (chunk) => this.#receive(session, chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => void this.#leave(session));
  }

  #receive(session: Session, chunk: Buffer): void {
    if (session.login && session.socket.bytesRead > LOGIN_BYTES_MAX) return void session.socket.destroy();
    session.frames.push(chunk);
    for (let unit = session.frames.next(); unit; unit = session.frames.next()) {
      if (unit.kind === 'encryption-request') session.socket.write(NO_ENCRYPTION);
      else if (unit.kind === 'terminate' || unit.kind === 'cancel-request') return void session.socket.end();
      else if (session.login) {
        if (!this.#signIn(session, session.login, unit)) return;
      } else if (unit.kind === 'sign-in') return void session.socket.destroy();
      else this.#enqueue(session, unit);
    }
    this.#startPump();
  }

  /** False for a client that was rejected: the rest of its bytes is ignored. */
  #signIn(session: Session, login: WireLogin, unit: WireUnit): boolean {
    const step = login.next(unit);
    if (step.kind === 'refusal') {
      session.socket.end(step.bytes);
      session.socket.removeAllListeners('data').resume();
      return false;
    }
    session.socket.write(step.bytes);
    if (step.kind === 'welcome') {
      session.login = undefined;
      this.#enqueue(session, step.startup);
    }
    return true;
  }

  #enqueue(session: Session, unit: RunnableUnit): void {
    session.waiting.push(unit);
    this.#turns.push(session);
  }

  async #pump(): Promise<void> {
    await this.#checkpointIfDue();
    for (let session = this.#nextTurn(); session; session = this.#nextTurn()) {
      const unit = session.waiting.shift();
      if (!unit) continue;
      if (session.socket.writableCorked === 0) session.socket.cork();
      if (unit.kind === 'startup') session.limitMs = statementLimitMs(unit.bytes);
      const run = (): Promise<void> => this.#run(unit.bytes, (bytes) => session.socket.write(bytes));
      // SQL errors are sent as answers; an exception here means that the client does not follow the protocol.
      await this.#watch.run(session.limitMs, run).catch(() => session.socket.destroy());
      // A unit that arrived in one piece is answered in one piece.
      if (session.waiting.length === 0) session.socket.uncork();
      session.isOpen = unit.kind === 'messages' && unit.isOpen;
      this.#owner = session.isOpen || this.options.db.isInTransaction() ? session : undefined;
      await this.#checkpointIfDue();
    }
  }

  async #checkpointIfDue(): Promise<void> {
    if (!this.#isCheckpointDue || this.#owner) return;
    this.#isCheckpointDue = false;
    await this.#run(CHECKPOINT, () => undefined);
  }

  #nextTurn(): Session | undefined {
    const index = this.#owner ? this.#turns.indexOf(this.#owner) : 0;
    return index < 0 ? undefined : this.#turns.splice(index, 1)[0];
  }

  /** The bytes handed to `reply` are a copy: PGlite's are a view of memory that the next call overwrites. */
  #run(bytes: Uint8Array, reply: (bytes: Buffer) => void): Promise<void> {
    const onRawData = (data: Uint8Array): void => reply(Buffer.from(data));
    return this.options.db.execProtocolRawStream(bytes, { syncToFs: false, onRawData });
  }

  async #leave(session: Session): Promise<void> {
    if (!this.#sessions.delete(session)) return;
    session.waiting.length = 0;
    this.#turns = this.#turns.filter((turn) => turn !== session);
    if (this.#owner !== session) return;
    if (session.isOpen) await this.#run(SYNC, () => undefined);
    if (this.options.db.isInTransaction()) await this.#run(ROLLBACK, () => undefined);
    this.#owner = undefined;
    this.#startPump();
  }
}
