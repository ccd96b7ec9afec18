import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '@cairn/kernel';
import { createKek, Kek, type KekConfig } from './kek.js';
import { moveSecretFile, shredSecretFile, writeSecretFile } from './secret-file.js';

/**
 * The KEK of a standalone home, as files: `kek` wraps, `kek.previous` only opens and is destroyed once nothing is wrapped
 * by it any more, `kek.next` takes over at the next start. Between any two steps each KEK that is still needed is in one
 * of them.
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

  /** True while keys are wrapped by the KEK before this one, or may be. */
  get hasPrevious(): boolean {
    return existsSync(this.previous);
  }

  create(): void {
    writeSecretFile(this.current, `${createKek()}\n`);
  }

  read(): KekConfig {
    return { kek: read(this.current), previousKeks: this.hasPrevious ? [read(this.previous)] : [] };
  }

  /** Touches nothing that a running process rests on. */
  prepareNext(): void {
    if (!existsSync(this.next)) writeSecretFile(this.next, `${createKek()}\n`);
  }

  /** For whoever alone has the home, before it is used. One that was interrupted goes on where it stopped. */
  adoptNext(): void {
    if (!existsSync(this.next)) return;
    const old = read(this.current);
    // A rotation that is not at its end comes first; this one waits for the start after it.
    if (this.hasPrevious && read(this.previous) !== old) return;
    writeSecretFile(this.previous, `${old}\n`);
    moveSecretFile(this.next, this.current);
  }

  /** What it is written over with is a KEK too: half of it, after a crash, can still be read as one. */
  destroyPrevious(): void {
    if (this.hasPrevious) shredSecretFile(this.previous, `${createKek()}\n`);
  }
}

/** A damaged one is told here: later it would look like data that was tampered with. */
const read = (file: string): string => {
  const kek = Kek.safeParse(readFileSync(file, 'utf8').trim());
  if (kek.success) return kek.data;
  throw new ConfigError(`${file} ${kek.error.issues[0]!.message}: put back the copy you keep, or set CAIRN_KEK`);
};
