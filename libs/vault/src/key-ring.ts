import { hkdfSync } from 'node:crypto';
import { fail } from '@cairn/contracts';
import { open, seal } from './cipher.js';
import type { KekConfig } from './kek.js';

const KEK_ID_BYTES = 4;

/**
 * The key-encryption keys of an installation: the current one wraps, the others only open, for as long as something is
 * wrapped by them. A wrapped key does not say by which: the current one is tried first, and it authenticates, so that
 * reading costs more only while a rotation is under way (ADR 0027).
 */
export class KeyRing {
  /** The current one first. */
  private readonly keks: readonly Uint8Array[];

  constructor({ kek, previousKeks = [] }: KekConfig) {
    this.keks = [...new Set([kek, ...previousKeks])].map((base64) => Buffer.from(base64, 'base64'));
  }

  /** True while there are keys that only open. */
  get isRotating(): boolean {
    return this.keks.length > 1;
  }

  /** Tells the current KEK from others, and nothing about it. */
  get id(): string {
    return Buffer.from(hkdfSync('sha256', this.current, '', 'cairn:kek-id:1', KEK_ID_BYTES)).toString('hex');
  }

  wrap(aad: string, key: Uint8Array): Buffer {
    return seal(this.current, aad, key);
  }

  unwrap(aad: string, wrapped: Uint8Array): Uint8Array {
    return this.opened(aad, wrapped).key;
  }

  /** The same key under the current KEK; undefined where it is already. */
  rewrap(aad: string, wrapped: Uint8Array): Buffer | undefined {
    if (!this.isRotating) return undefined;
    const { kek, key } = this.opened(aad, wrapped);
    return kek === this.current ? undefined : this.wrap(aad, key);
  }

  /** The KEK itself that a key is wrapped by. */
  wrapperOf(aad: string, wrapped: Uint8Array): Uint8Array {
    return this.opened(aad, wrapped).kek;
  }

  /** The one that stands last: whoever puts a new one before the others leaves the oldest there. */
  get oldest(): Uint8Array {
    return this.keks.at(-1)!;
  }

  private get current(): Uint8Array {
    return this.keks[0]!;
  }

  private opened(aad: string, wrapped: Uint8Array): { readonly kek: Uint8Array; readonly key: Uint8Array } {
    let failure: unknown;
    for (const kek of this.keks) {
      try {
        return { kek, key: open(kek, aad, wrapped) };
      } catch (thrown) {
        failure ??= thrown;
      }
    }
    throw fail('key.unavailable', 'a wrapped key opens with none of the given key-encryption keys', {}, failure);
  }
}
