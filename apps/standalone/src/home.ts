import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '@cairn/kernel';
import { identify } from '@cairn/local-servers';
import { createKek } from '@cairn/vault';

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

const SECRET_MODE = 0o600;
/** A dead owner's lock is removed once; a second failure means that somebody else was faster. */
const LOCK_TRIES = 3;

/** The data directory of one installation: who runs on it, its secrets, where its servers keep their files. */
export class Home {
  readonly natsDir: string;
  readonly postgresDir: string;
  private readonly lockFile: string;

  constructor(readonly dir: string) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    this.natsDir = join(dir, 'nats');
    this.postgresDir = join(dir, 'postgres');
    this.lockFile = join(dir, 'lock');
  }

  /** Two processes on one data directory would corrupt it. A lock of a dead process is taken over. */
  lock(): void {
    // Written beside and then linked, so that nobody ever reads half a lock.
    const mine = `${this.lockFile}.${process.pid}`;
    writeFileSync(mine, JSON.stringify(identify(process.pid)));
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

  unlock(): void {
    rmSync(this.lockFile, { force: true });
  }

  get adminTokenFile(): string {
    return join(this.dir, 'admin-token');
  }

  readAdminToken(): string | undefined {
    return existsSync(this.adminTokenFile) ? readFileSync(this.adminTokenFile, 'utf8').trim() : undefined;
  }

  writeAdminToken(token: string): void {
    this.writeWhole(this.adminTokenFile, `${token}\n`, SECRET_MODE);
  }

  /** Whoever has this file can read everything; without it nothing can be read, so it is made for a new home only. */
  kek(): string {
    const file = join(this.dir, 'kek');
    if (!existsSync(file)) {
      if (existsSync(this.natsDir)) {
        throw new ConfigError(
          `${file} is missing, and the log in ${this.natsDir} cannot be read without it: put it back, or set CAIRN_KEK.`,
        );
      }
      this.writeWhole(file, `${createKek()}\n`, SECRET_MODE);
    }
    return readFileSync(file, 'utf8').trim();
  }

  writeRunInfo(info: RunInfo): void {
    this.writeWhole(join(this.dir, 'run.json'), `${JSON.stringify(info, null, 2)}\n`, SECRET_MODE);
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

  /** On the disk, name and all, before anything rests on it: the log is synced too, and is worthless without the key. */
  private writeWhole(file: string, content: string, mode: number): void {
    const part = openSync(`${file}.part`, 'w', mode);
    writeFileSync(part, content);
    fsyncSync(part);
    closeSync(part);
    renameSync(`${file}.part`, file);
    const dir = openSync(this.dir, 'r');
    fsyncSync(dir);
    closeSync(dir);
  }
}
