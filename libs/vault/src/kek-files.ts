import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '@cairn/kernel';
import { createKek, Kek, type KekConfig } from './kek.js';
import { moveSecretFile, shredSecretFile, writeSecretFile } from './secret-file.js';

/**
 * The KEK of a standalone home, as files: `kek` wraps, `kek.previous` only opens and is destroyed once nothing is wrapped
 * by it any more, `kek.next` takes over at the next start. Between any two steps, each KEK that is still needed is in one
 * of these files.
 */
export class KekFiles {
  private readonly current: string;
  private readonly previous: string;
  private readonly next: string;

  constructor(dir: string) {
    this.current = join(dir, 'kek');
    this.previous = join(dir, 'kek.previous');
    this.next = join(dir, 'kek.next');
  }

  get exists(): boolean {
    return existsSync(this.current);
  }

  /** True while keys are, or may be, wrapped by the previous KEK. */
  get hasPrevious(): boolean {
    return existsSync(this.previous);
  }

  create(): void {
    writeSecretFile(this.current, `${createKek()}\n`);
  }

  read(): KekConfig {
    return { kek: read(this.current), previousKeks: this.hasPrevious ? [read(this.previous)] : [] };
  }

  /** Changes nothing that a running process depends on. */
  prepareNext(): void {
    if (!existsSync(this.next)) writeSecretFile(this.next, `${createKek()}\n`);
  }

  /** For the process that has the home to itself, before it is used. Continues where an interrupted call stopped. */
  adoptNext(): void {
    if (!existsSync(this.next)) return;
    const old = read(this.current);
    // An unfinished rotation comes first; this one waits for the next start.
    if (this.hasPrevious && read(this.previous) !== old) return;
    writeSecretFile(this.previous, `${old}\n`);
    moveSecretFile(this.next, this.current);
  }

  /** It is overwritten with another KEK: after a crash halfway, the file can still be read as a KEK. */
  destroyPrevious(): void {
    if (this.hasPrevious) shredSecretFile(this.previous, `${createKek()}\n`);
  }
}

/** A damaged KEK is reported here: later it would look like data that was tampered with. */
const read = (file: string): string => {
  const kek = Kek.safeParse(readFileSync(file, 'utf8').trim());
  if (kek.success) return kek.data;
  throw new ConfigError(`${file} ${kek.error.issues[0]!.message}: put back the copy you keep, or set CAIRN_KEK`);
};
