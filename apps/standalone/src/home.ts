import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '@cairn/kernel';
import { identify } from '@cairn/local-servers';
import { KekFiles, writeSecretFile, type KekConfig } from '@cairn/vault';

export interface RunInfo {
  readonly pid: number;
  readonly url: string;
  readonly mcpUrl: string;
  readonly childPids: { readonly nats: number | null; readonly postgres: number | null };
  readonly startedAt: string;
  /** For the operator's command line. */
  readonly natsUrl: string;
  readonly databaseUrl: string;
}

const PRIVATE = 0o700;
const OTHERS = 0o077;
/** Any of these files shows that the directory is already a home. */
const OWN_NAMES = ['kek', 'admin-token', 'nats', 'postgres'];

/** The owner of a token: a person, who may do everything, or agents. */
export type TokenKind = 'admin' | 'agent';

/** A dead owner's lock is removed once; a second failure means that another start was first. */
const LOCK_TRIES = 3;

/** An error of the file system is a problem of the environment, so the message names variable, path and reason. */
const orRefuse = <T>(dir: string, what: string, act: () => T): T => {
  try {
    return act();
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    if (code === undefined) throw thrown;
    const reason = /^\w+: ([^,]+)/.exec(message)?.[1] ?? message;
    throw new ConfigError(`CAIRN_HOME cannot be used: ${dir} cannot be ${what}: ${reason} (${code})`, {
      cause: thrown,
    });
  }
};

/**
 * Created one after the other: with `recursive`, Node retries forever if a file system reports ENOENT, as /proc does.
 */
const makeDirectories = (dir: string): void => {
  if (existsSync(dir)) return;
  makeDirectories(dirname(dir));
  try {
    mkdirSync(dir, { mode: PRIVATE });
  } catch (thrown) {
    // Another start on this home was first.
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
  }
};

/** The data directory of one installation: its lock, its secrets, and the files of its servers. */
export class Home {
  readonly natsDir: string;
  readonly postgresDir: string;
  private readonly lockFile: string;
  private readonly kekFiles: KekFiles;

  constructor(readonly dir: string) {
    if (existsSync(dir) && !statSync(dir).isDirectory())
      throw new ConfigError(`CAIRN_HOME must be a directory: ${dir} is a file`);
    orRefuse(dir, 'created', () => makeDirectories(dir));
    this.natsDir = join(dir, 'nats');
    this.postgresDir = join(dir, 'postgres');
    this.lockFile = join(dir, 'lock');
    this.kekFiles = new KekFiles(dir);
  }

  /** Two processes on one data directory would corrupt it. The lock of a dead process is taken over. */
  lock(): void {
    // Written to a temporary file and then linked, so no process ever reads half a lock.
    const mine = `${this.lockFile}.${process.pid}`;
    orRefuse(this.dir, 'written to', () => writeFileSync(mine, JSON.stringify(identify(process.pid))));
    try {
      for (let tries = 0; tries < LOCK_TRIES; tries++) {
        if (this.tryLink(mine)) return;
        this.refuseLivingOwner();
        rmSync(this.lockFile, { force: true });
      }
    } finally {
      rmSync(mine, { force: true });
    }
    throw new ConfigError(`${this.dir} is being taken by another start at this moment`);
  }

  /**
   * Closes the directory to other users of the machine. A directory that is open and contains foreign files is left
   * unchanged: CAIRN_HOME=/tmp must not lock everyone out.
   */
  makePrivate(): void {
    const mode = statSync(this.dir).mode & 0o777;
    if ((mode & OTHERS) === 0) return;
    const names = readdirSync(this.dir).filter((name) => !name.startsWith('lock'));
    if (names.length > 0 && !names.some((name) => OWN_NAMES.includes(name))) {
      throw new ConfigError(
        `CAIRN_HOME cannot be used: other users may enter ${this.dir} (mode ${mode.toString(8)}), and it holds other files. Choose an empty directory, or run: chmod 700 ${this.dir}`,
      );
    }
    orRefuse(this.dir, 'closed to other users', () => chmodSync(this.dir, PRIVATE));
  }

  unlock(): void {
    rmSync(this.lockFile, { force: true });
  }

  tokenFile(kind: TokenKind): string {
    return join(this.dir, `${kind}-token`);
  }

  readToken(kind: TokenKind): string | undefined {
    const file = this.tokenFile(kind);
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
  }

  writeToken(kind: TokenKind, token: string): void {
    writeSecretFile(this.tokenFile(kind), `${token}\n`);
  }

  /** These keys can decrypt everything, and without them nothing can be read: a KEK is created for a new home only. */
  keks(): KekConfig {
    if (!this.kekFiles.exists) {
      if (existsSync(this.natsDir)) {
        throw new ConfigError(
          `${join(this.dir, 'kek')} is missing, and the log in ${this.natsDir} cannot be read without it: put it back, or set CAIRN_KEK.`,
        );
      }
      this.kekFiles.create();
    }
    return orRefuse(this.dir, 'read', () => {
      this.kekFiles.adoptNext();
      return this.kekFiles.read();
    });
  }

  destroyPreviousKek(): void {
    this.kekFiles.destroyPrevious();
  }

  writeRunInfo(info: RunInfo): void {
    writeSecretFile(join(this.dir, 'run.json'), `${JSON.stringify(info, null, 2)}\n`);
  }

  removeRunInfo(): void {
    rmSync(join(this.dir, 'run.json'), { force: true });
  }

  private tryLink(mine: string): boolean {
    try {
      linkSync(mine, this.lockFile);
      return true;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw thrown;
    }
  }

  private refuseLivingOwner(): void {
    const owner = this.readLock();
    if (owner && identify(owner.pid)?.startedAt === owner.startedAt) {
      throw new ConfigError(
        `${this.dir} is in use by process ${owner.pid}. Stop it first, or set CAIRN_HOME to another directory.`,
      );
    }
  }

  private readLock(): { readonly pid: number; readonly startedAt: string } | undefined {
    try {
      return JSON.parse(readFileSync(this.lockFile, 'utf8')) as { pid: number; startedAt: string };
    } catch {
      return undefined;
    }
  }
}
